// The programs of docs/api.md run, and print what the page says.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiExamples, apiPage, exampleFolder } from '../docs/api-examples.ts';
import { type Ended, runProgram } from './run-program.ts';

const hermesProgram = join(import.meta.dirname, '../../bin/hermes.js');
const withGateway = apiExamples.filter(({ code }) => code.includes('LINK'));
const onTheirOwn = apiExamples.filter(example => !withGateway.includes(example));
const statusTable =
  /^`hermes status --json`:\n\n([\s\S]*?)\n\n/m.exec(apiPage)?.[1]?.split('\n').slice(2) ?? [];

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'api-examples-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const env = (): Record<string, string> => ({ HERMES_HOME: home, TERMINAL_ENV: 'local' });
const hermes = (...words: string[]): Promise<Ended> =>
  runProgram([process.execPath, hermesProgram, ...words], { env: env() });
const run = (file: string, ...words: string[]): Promise<Ended> =>
  runProgram([process.execPath, join(exampleFolder, file), ...words], { env: env() });

/** Names in backticks, of the rows that the table has for the status; sorted. */
function namesIn(cells: readonly (string | undefined)[]): string[] {
  const names = cells.flatMap(text => [...(text ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  return names.toSorted();
}

describe('the examples of the API', () => {
  it.each(onTheirOwn)('$file prints what the page says', async ({ file, printed }) => {
    const { stdout, stderr } = await run(file);
    expect(stderr).toBe('');
    expect(stdout).toBe(printed);
  });

  it.each(withGateway)('$file talks to a running gateway, whose status is as described', async example => {
    const settings = [
      'gateway.terminal_backend=local',
      'gateway.http_port=0',
      'web.enabled=true',
      'web.port=0',
    ];
    const started = await hermes(
      'gateway',
      'start',
      '--detach',
      '--json',
      ...settings.flatMap(each => ['--set', each]),
    );
    expect(started.code).toBe(0);
    try {
      const { link } = JSON.parse(started.stdout).login;
      const { stdout, stderr } = await run(example.file, link);
      expect(stderr).toBe('');
      expect(stdout).toBe(example.printed);
      const status = JSON.parse((await hermes('status', '--json')).stdout);
      const rows = statusTable.map(row => row.split('|'));
      expect(namesIn(rows.map(([, field]) => field))).toEqual(Object.keys(status).toSorted());
      const ofGateway = rows.find(([, field]) => field === ' `gateway` ')?.[2];
      expect(namesIn([ofGateway])).toEqual(Object.keys(status.gateway).toSorted());
    } finally {
      const { sandboxes } = JSON.parse((await hermes('sandbox', 'list', '--json')).stdout);
      for (const { id } of sandboxes) await hermes('sandbox', 'destroy', id);
      await hermes('gateway', 'stop');
    }
  });
});
