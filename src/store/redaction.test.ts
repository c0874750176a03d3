// P7: what is written for people to read holds no secret, whoever writes it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from './open.ts';
import type { Store } from './store.ts';

const SPILL = 'it said s3cret';
const HIDDEN = 'it said [redacted:known]';
let home: string;
let store: Store;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-store-redaction-'));
  store = await openStore(home, { redact: text => text.replaceAll('s3cret', '[redacted:known]') });
});

afterAll(async () => {
  await store.close();
  await rm(home, { recursive: true });
});

async function sandbox(id: string): Promise<string> {
  await store.ledger.enter({
    ...{ id, installation: 'here', backend: 'local', policyHash: '', policy: {}, deadline: 1 },
    whenIdle: 'destroy',
  });
  return id;
}

it('hides secrets in the problem of a sandbox, however it is learnt', async () => {
  const [failed, kept] = [await sandbox('failed'), await sandbox('kept')];
  expect(await store.ledger.move(failed, 'failed', { problem: SPILL })).toMatchObject({ problem: HIDDEN });
  await store.ledger.postpone(kept, { problem: SPILL, retryAt: 1 });
  expect(await store.ledger.find(kept)).toMatchObject({ problem: HIDDEN });
});

it('hides secrets in the problem of a sandbox that another one replaces', async () => {
  const session = await store.sessions.enter({ key: 'k', kind: 'cli', platform: 'cli', chat: 'c' });
  await store.ledger.enter({
    ...{ id: 'old', installation: 'here', backend: 'local', policyHash: '', policy: {}, deadline: 1 },
    ...{ whenIdle: 'destroy', sessionId: session.id },
  });
  const old = await store.ledger.move('old', 'ready');
  await store.ledger.move(await sandbox('new'), 'ready');
  if (old) await store.ledger.replace(old, 'new', { problem: SPILL });
  expect(await store.ledger.find('old')).toMatchObject({ state: 'destroying', problem: HIDDEN });
});

it('hides secrets in the command of a process', async () => {
  const ref = { sandboxId: await sandbox('busy'), id: 'p1' };
  await store.processes.enter({ ...ref, command: SPILL });
  await store.processes.checked(ref, SPILL);
  expect(await store.processes.list('busy')).toMatchObject([{ command: HIDDEN, lastOutput: HIDDEN }]);
  await store.processes.end(ref, { state: 'ended' }, SPILL);
  expect(await store.processes.list('busy')).toMatchObject([{ state: 'ended', lastOutput: HIDDEN }]);
});

it('hides secrets in the problem of a message: postponed, given up, or reported later', async () => {
  const { id } = await store.sessions.enter({ key: 'o', kind: 'cli', platform: 'cli', chat: 'c' });
  const { seq } = await store.outbox.put({ sessionId: id, platform: 'cli', chat: 'c', body: {} });
  await store.outbox.startSending(seq);
  await store.outbox.postpone(seq, { problem: SPILL, dueAt: 0 });
  expect(await store.outbox.find(seq)).toMatchObject({ state: 'waiting', problem: HIDDEN });
  await store.outbox.startSending(seq);
  await store.outbox.giveUp(seq, { problem: SPILL });
  expect(await store.outbox.find(seq)).toMatchObject({ state: 'failed', problem: HIDDEN });
  const sent = await store.outbox.put({ sessionId: id, platform: 'cli', chat: 'c', body: {} });
  await store.outbox.startSending(sent.seq);
  await store.outbox.markSent(sent.seq, '["m1"]');
  await store.outbox.markUndelivered(sent.seq, SPILL);
  expect(await store.outbox.find(sent.seq)).toMatchObject({ state: 'failed', problem: HIDDEN });
});

it('hides secrets in the subject, the outcome and at any depth of the details of an audit row; ids stay', async () => {
  const row = { actor: 'cli', outcome: SPILL, details: { input: { list: [SPILL], count: 1 } } };
  expect(await store.audit.append({ ...row, action: 'command', subject: SPILL })).toMatchObject({
    subject: HIDDEN,
    outcome: HIDDEN,
    details: { input: { list: [HIDDEN], count: 1 } },
  });
  const person = await store.audit.append({ ...row, action: 'people', subject: { id: 'telegram:s3cret' } });
  expect(person).toMatchObject({ subject: 'telegram:s3cret' });
});

it('hides them inside transactions as well', async () => {
  const write = (repositories: Pick<Store, 'audit'>) =>
    repositories.audit.append({ actor: 'cli', action: 'command', subject: SPILL, outcome: 'done' });
  expect(await store.transaction(write)).toMatchObject({ subject: HIDDEN });
  expect(await store.together(write)).toMatchObject({ subject: HIDDEN });
});
