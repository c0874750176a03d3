// `hermes approvals` as an owner uses it beside a gateway.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { callHermes } from '../call-hermes.ts';
import type { Ended } from '../run-program.ts';
import { waitingRun } from './waiting-run.ts';

const finding = {
  rule: 'r',
  threatens: 'host-files',
  severity: 'high',
  reason: 'deletes much',
  part: 'rm -rf /srv',
};
let home: string;
let store: Store;
let id: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'approvals-'));
  store = await openStore(home);
  const session = await store.sessions.enter({ key: 'k', kind: 'messaging', platform: 'test', chat: '1' });
  const question = { sessionId: session.id, runId: 'run', requester: 'test:7', command: 'rm -rf /srv' };
  await waitingRun(store, { runId: 'run', sessionId: session.id });
  id = (await store.approvals.ask({ ...question, findings: [finding], expiresAt: Date.now() + 60_000 })).id;
});
afterEach(async () => {
  await store.close();
  await rm(home, { recursive: true });
});

const hermes = (...args: string[]): Promise<Ended> =>
  callHermes(['approvals', ...args], { env: { HERMES_HOME: home } });

it('lists what is pending, whole', async () => {
  const { stdout } = await hermes('list');
  for (const part of [id, 'test:7', 'rm -rf /srv', 'deletes much (high)']) expect(stdout).toContain(part);
  expect(JSON.parse((await hermes('list', '--json')).stdout)).toMatchObject({
    approvals: [{ id, state: 'pending' }],
  });
});

it('P7: shows no known value, neither in the command nor in what was found', async () => {
  await writeFile(join(home, '.env'), 'MY_VALUE=/srv/quiet-river\n', { mode: 0o600 });
  const { sessionId } = (await store.approvals.find(id)) ?? { sessionId: '' };
  const command = 'rm -rf /srv/quiet-river';
  const found = [{ ...finding, part: command, paths: ['/srv/quiet-river'] }];
  const asked = { sessionId, runId: 'run', requester: 'test:7', command, findings: found };
  await store.approvals.ask({ ...asked, expiresAt: Date.now() + 60_000 });
  for (const args of [['list'], ['list', '--json']]) {
    const { stdout } = await hermes(...args);
    expect(stdout).toContain('rm -rf [redacted:known]');
    expect(stdout).not.toContain('quiet-river');
  }
});

it('approves once, by the first characters of the id, and only once', async () => {
  expect(await hermes('approve', id.slice(0, 6))).toMatchObject({ code: 0, stdout: 'Approved (once).\n' });
  expect(await store.approvals.find(id)).toMatchObject({
    state: 'approved',
    scope: 'once',
    answeredBy: 'cli',
  });
  const again = await hermes('approve', id);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('There is no approval');
  expect(await store.audit.list({ limit: 5 })).toMatchObject([
    { action: 'approval', outcome: 'approved once' },
  ]);
});

it('says truthfully that nobody waits any more, and closes the question', async () => {
  const other = { key: 'other', kind: 'messaging', platform: 'test', chat: '2' } as const;
  const { id: sessionId } = await store.sessions.enter(other);
  await waitingRun(store, { runId: 'of-a-gateway', sessionId, holder: 'gateway-dead' });
  for (const runId of ['dead', 'of-a-gateway']) {
    const question = {
      requester: 'test:7',
      command: 'x',
      findings: [finding],
      expiresAt: Date.now() + 60_000,
    };
    const dead = await store.approvals.ask({ ...question, sessionId, runId });
    const answered = await hermes('approve', dead.id);
    expect(answered).toMatchObject({ stdout: '' });
    expect(answered.stderr).toContain('nothing was run');
    expect(await store.approvals.find(dead.id)).toMatchObject({ state: 'closed' });
  }
  expect(await store.approvals.find(id)).toMatchObject({ state: 'pending' });
});

it('saves the exact command when it is approved for always', async () => {
  expect((await hermes('approve', id, '--scope', 'always')).code).toBe(0);
  expect(await readFile(join(home, 'config.yaml'), 'utf8')).toContain('rm -rf /srv');
});

it('denies with a reason, and refuses a scope that there is none of', async () => {
  expect((await hermes('approve', id, '--scope', 'ever')).code).toBe(2);
  expect((await hermes('deny', id, '--reason', 'not there')).stdout).toBe('Denied.\n');
  expect(await store.approvals.find(id)).toMatchObject({ state: 'denied', reason: 'not there' });
});
