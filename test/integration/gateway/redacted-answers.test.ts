// P7: what becomes a file, or is cut, is redacted before; whoever wrote it, and also after a crash.
import { expect, it } from 'vitest';
import { HermesError } from '../../../src/base/errors.ts';
import { newId } from '../../../src/base/ids.ts';
import { incomingBody } from '../../../src/gateway/incoming.ts';
import { sessionOf } from '../../../src/gateway/session-key.ts';
import { answered, type House, OWNER, USER } from './house.ts';
import { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();
const MAX_TEXT = 200;
/** The world of these tests hides this word. */
const SECRET = 'hunter2';
const LONG = `${'a'.repeat(5 * MAX_TEXT)} ${SECRET}`;

function smallPlatform(): MemoryPlatform {
  return new MemoryPlatform('telegram', { maxText: MAX_TEXT });
}

async function fileIn({ platform }: Pick<House, 'platform'>): Promise<string> {
  const isFile = ({ file }: { file?: unknown }): boolean => file !== undefined;
  await platform.until(() => platform.chat(USER).some(isFile));
  return Buffer.from(platform.chat(USER).find(isFile)?.file?.bytes ?? []).toString();
}

const HIDDEN = LONG.replace(SECRET, '***');

it('hides a secret in an answer that is sent as a file', async () => {
  const house = await houses.open({
    platform: smallPlatform(),
    async *script() {
      yield answered(LONG);
    },
  });
  await house.platform.say(USER, 'go');
  expect(await fileIn(house)).toBe(HIDDEN);
});

it('hides a secret in what was written before a question', async () => {
  const house = await houses.open({
    platform: smallPlatform(),
    async *script(turn) {
      yield { type: 'text', delta: LONG };
      yield answered(`heard ${await turn.answer?.('Which?', [])}`);
    },
  });
  await house.platform.say(USER, 'go');
  expect(await fileIn(house)).toBe(HIDDEN);
  await house.platform.say(USER, 'this');
  await house.platform.shows(USER, 'heard this');
});

it('hides a secret before it cuts what is shown of an answer while it is written', async () => {
  const seen = Promise.withResolvers<void>();
  const house = await houses.open({
    platform: smallPlatform(),
    async *script() {
      // The view ends with the newest text; its beginning falls into the secret.
      yield { type: 'text', delta: `${'a'.repeat(MAX_TEXT)}${SECRET}${'z'.repeat(MAX_TEXT - 14)}` };
      await seen.promise;
      yield answered('done');
    },
  });
  const { platform } = house;
  await platform.say(USER, 'go');
  await platform.shows(USER, 'zzz');
  const [text = ''] = platform.texts(USER);
  seen.resolve();
  expect(text).toMatch(/^…\**z+ …$/);
  await platform.shows(USER, 'done');
});

it('hides a secret in what is told after a crash', async () => {
  const platform = smallPlatform();
  const first = await houses.open({ platform });
  const { store } = first.ground.world;
  const chat = { id: USER, kind: 'private' } as const;
  const sender = { id: USER, name: 'Uma' };
  const session = await store.sessions.enter(
    sessionOf({ platform: 'telegram', chat, sender, groups: 'session-per-person' }),
  );
  const person = `telegram:${USER}`;
  const event = { kind: 'message', id: newId(), text: 'work', files: [], isAddressed: true } as const;
  await store.inbox.put({
    ...{ platform: 'telegram', chat: USER, messageId: event.id, sessionId: session.id, person },
    body: incomingBody({ ...event, chat, sender }, { person, name: 'Uma', role: 'user' }, 'message'),
    runId: 'run-1',
  });
  await first.crash();
  await houses.open({
    ...{ home: first.home, platform },
    agent: () => ({
      async *run() {
        yield answered('never');
      },
      recover: async () => [{ run: { id: 'run-1' }, next: 'report' as const, text: LONG }],
      usage: async () => Promise.reject(new Error('nobody asks')),
    }),
  });
  expect(await fileIn({ platform })).toBe(HIDDEN);
});

it('informs an owner once of the same cause, also when a secret is hidden in it', async () => {
  const { platform, gateway } = await houses.open();
  platform.trouble = (call, chat) => {
    if (call === 'send' && chat === USER)
      throw new HermesError('USAGE_NOT_DELIVERED', `The server said ${SECRET}.`);
  };
  for (const text of ['one', 'two']) {
    await platform.say(USER, text);
    await platform.shows(OWNER, 'The server said ***.');
    await platform.say(OWNER, text);
    await platform.shows(OWNER, `echo ${text}`);
    await gateway.drained();
  }
  expect(platform.texts(OWNER).filter(text => text.includes('***'))).toHaveLength(1);
});

it('hides a secret before it cuts the answer that it repeats under a question', async () => {
  const { platform } = await houses.open({
    async *script(turn) {
      await turn.answer?.('Which?', ['this', 'that']);
      yield answered('done');
    },
  });
  await platform.say(USER, 'go');
  await platform.shows(USER, 'Which?');
  // The cut falls into the secret.
  await platform.say(USER, `${'a'.repeat(197)}${SECRET}`);
  await platform.shows(USER, '✔ aaa');
  await platform.shows(USER, 'done');
  const [question = ''] = platform.texts(USER);
  expect(question).toContain(`✔ ${'a'.repeat(197)}***`);
});
