// A gateway whose state is deleted under it, and a start where the state is missing.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { within } from '../../wait.ts';
import { useGround } from './ground.ts';

const ground = useGround();

it('P12: ends when its state is deleted, and begins no new installation but when it is told to', async () => {
  const { home, foreground, run } = await ground();
  const first = foreground();
  await first.ready;
  const mark = readFileSync(join(home, 'installation.json'), 'utf8');
  for (const name of ['state.db', 'state.db-wal', 'state.db-shm']) rmSync(join(home, name));
  const { code, stderr } = await within(first.ended, 'the gateway to end');
  expect([code, stderr]).toEqual([69, expect.stringContaining('it was deleted while it was open')]);

  const refused = await run('gateway', 'start', '--json');
  expect([refused.code, existsSync(join(home, 'state.db'))]).toEqual([69, false]);
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    code: 'UNAVAILABLE_STORE',
    message: expect.stringMatching(/state\.db does not exist.*hermes backup restore.*--new-state/),
  });

  const second = foreground('--new-state');
  await second.ready;
  second.signal('SIGTERM');
  await within(second.ended, 'the gateway to stop');
  // The sandboxes of the old state carry its id.
  expect(readFileSync(join(home, 'installation.json'), 'utf8')).toBe(mark);
});
