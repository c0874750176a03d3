// What a crash leaves to the next life of the gateway: nothing is lost, and nothing that was started is done again (P10, P12).
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { type OutgoingBody, rowFor } from '../../../src/gateway/outgoing.ts';
import { copyState } from '../../../src/store/backup/copy-state.ts';
import { type House, USER } from './house.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

/** The session of a first message, which is answered. */
async function afterHello({ platform, gateway, ground }: House): Promise<string> {
  await platform.say(USER, 'hello');
  await platform.shows(USER, 'echo hello');
  await gateway.drained();
  const [session] = await ground.world.store.sessions.list({ which: 'all', limit: 1 });
  return session?.id ?? '';
}

it('P12: sends what waited, and once more what was being sent, which says so', async () => {
  const before = await houses.open();
  const sessionId = await afterHello(before);
  const { outbox } = before.ground.world.store;
  const address = { platform: 'telegram', chat: { id: USER, kind: 'private' as const } };
  const put = (text: string) => outbox.put(rowFor({ address, sessionId }, { kind: 'text', text }));
  const { seq } = await put('was being sent');
  await outbox.startSending(seq);
  await put('waited');
  await before.crash();
  const { home, platform } = before;
  await houses.open({ home, platform });
  await platform.shows(USER, 'waited');
  expect(platform.texts(USER)).toEqual(['echo hello', '(repeated) was being sent', 'waited']);
});

it('P12: brings to an end what showed progress, and marks no report as a repeat', async () => {
  const before = await houses.open();
  const sessionId = await afterHello(before);
  const { outbox } = before.ground.world.store;
  const [hello] = before.platform.chat(USER);
  const address = { platform: 'telegram', chat: { id: USER, kind: 'private' as const } };
  const sending = async (body: OutgoingBody): Promise<number> => {
    const { seq } = await outbox.put(rowFor({ address, sessionId }, body));
    await outbox.startSending(seq);
    return seq;
  };
  const shown = await sending({ kind: 'live', text: 'half an answer …' });
  await outbox.markSent(shown, JSON.stringify([hello?.id]));
  await sending({ kind: 'live', text: 'half of another …' });
  await sending({ kind: 'text', text: 'I was restarted.', isReport: true });
  await before.crash();
  const { home, platform } = before;
  const next = await houses.open({ home, platform });
  await platform.shows(USER, 'I was restarted.');
  await next.gateway.drained();
  expect(platform.texts(USER)).toEqual(['A restart cut this off.', 'I was restarted.']);
});

it('P10: does not run again what an earlier start had closed before it could tell the chat', async () => {
  const before = await houses.open();
  const sessionId = await afterHello(before);
  const { store, holder } = before.ground.world;
  const nothing = { inputTokens: 0, outputTokens: 0, modelCalls: 1, toolCalls: 1 };
  await store.runs.begin({ id: 'killed', sessionId, holder, requester: `telegram:${USER}` });
  await store.runs.startTool('killed', { ...nothing, contextTokens: null, costMicros: null });
  await store.runs.end('killed', 'cut-off');
  const body = { text: 'deploy', files: [], name: 'x', role: 'user', chat: { id: USER, kind: 'private' } };
  await store.inbox.put({
    ...{ platform: 'telegram', chat: USER, messageId: 'm2', sessionId, person: `telegram:${USER}` },
    ...{ body, runId: 'killed' },
  });
  await before.crash();
  const { home, platform } = before;
  await houses.open({ home, platform });
  await platform.shows(USER, 'I do not start over by myself');
  await platform.say(USER, 'and now?');
  await platform.shows(USER, 'echo and now?');
  expect(platform.texts(USER).join()).not.toContain('echo deploy');
});

it('P12: acknowledges no message that could not be stored, and takes it when it comes again', async () => {
  const { platform, home } = await houses.open();
  const inbox = (from: string, to: string): void => {
    using state = new DatabaseSync(join(home, 'state.db'));
    state.exec(`alter table ${from} rename to ${to}`);
  };
  inbox('inbox', 'away');
  await expect(platform.say(USER, 'keep me', { id: 'm1' })).rejects.toThrow();
  inbox('away', 'inbox');
  await platform.say(USER, 'keep me', { id: 'm1' });
  await platform.shows(USER, 'echo keep me');
});

it('P10: repeats nothing that a copy of the state had in flight when it is put back', async () => {
  const first = await houses.open();
  const { home, platform } = first;
  const state = join(home, 'state.db');
  const sessionId = await afterHello(first);
  const body = { text: 'deploy', files: [], name: 'x', role: 'user', chat: { id: USER, kind: 'private' } };
  await first.ground.world.store.inbox.put({
    ...{ platform: 'telegram', chat: USER, messageId: 'm2', sessionId, person: `telegram:${USER}`, body },
  });
  copyState(state, join(home, 'copy.db'));
  await first.gateway.stop({ signal: AbortSignal.abort() });
  await first.crash();
  // The gateway goes on with it, and then somebody puts the copy back.
  const second = await houses.open({ home, platform });
  await platform.shows(USER, 'echo deploy');
  await second.gateway.stop({ signal: AbortSignal.abort() });
  await second.crash();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${state}${suffix}`, { force: true });
  renameSync(join(home, 'copy.db'), state);
  const third = await houses.open({ home, platform });
  await platform.shows(USER, 'What was in progress then is not repeated');
  await platform.say(USER, 'old', { sentAt: 1 });
  await platform.say(USER, 'and now?', { sentAt: Date.now() + 1000 });
  await platform.shows(USER, 'echo and now?');
  await third.gateway.drained();
  const texts = platform.texts(USER);
  expect(texts.filter(text => text === 'echo deploy')).toHaveLength(1);
  expect(texts.filter(text => text.startsWith('Restored to '))).toHaveLength(1);
  expect(texts).not.toContain('echo old');
});
