// A hundred sessions that run at once: what they cost the process, and that all come to their end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startModelServer } from '../../doubles/model-server.ts';
import { describeWith } from '../../services/use-service.ts';
import { newHome } from '../sessions/world.ts';

const COUNT = 100;
const MOST_MEBIBYTES = 400;

describeWith('bubblewrap', () => {
  it(`holds ${COUNT} running sessions in ${MOST_MEBIBYTES} MB`, async () => {
    const waiting = Promise.withResolvers<void>();
    await using server = await startModelServer(({ results }) =>
      results.length === 0
        ? [{ call: { name: 'terminal', input: { command: 'seq 500' } } }]
        : [{ text: 'So far ' }, { until: waiting.promise }, { text: 'done.' }],
    );
    const program = fileURLToPath(new URL('./many-runs.ts', import.meta.url));
    const child = spawn(process.execPath, [program, await newHome(), server.openAiUrl, String(COUNT)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      waiting.resolve();
    }
    expect(await closed).toEqual([0, null]);
    const [mebibytes, outcomes] = said;
    expect(Number(mebibytes)).toBeGreaterThan(0);
    expect(Number(mebibytes)).toBeLessThanOrEqual(MOST_MEBIBYTES);
    expect(outcomes).toBe('answered');
  }, 120_000);
});
