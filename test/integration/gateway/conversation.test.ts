// What people see: answers in order, what a message means during a run, and commands that act at once.
import { expect, it } from 'vitest';
import type { Turn } from '../../../src/agent/events.ts';
import { within } from '../../wait.ts';
import { answered, cancelled, done, OWNER, USER } from './house.ts';
import { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

it('answers each person in their own chat', async () => {
  const { platform } = await houses.open();
  await Promise.all([
    platform.say(USER, 'one'),
    platform.say('3', 'two'),
    platform.say('-9', 'three', { from: USER }),
  ]);
  await platform.until(() => [USER, '3', '-9'].every(chat => platform.chat(chat).length === 1));
  expect([USER, '3', '-9'].map(chat => platform.texts(chat))).toEqual([
    ['echo one'],
    ['echo two'],
    ['echo three'],
  ]);
});

it('P1: does nothing for a stranger in a group, and answers a repeat of a message once', async () => {
  const { platform, ground } = await houses.open();
  await platform.say('-9', 'hello', { from: '666' });
  await platform.say(USER, 'hi', { id: 'same' });
  await platform.say(USER, 'hi', { id: 'same' });
  await platform.say(USER, 'bye');
  await platform.shows(USER, 'bye');
  expect(platform.texts('-9')).toEqual([]);
  expect(platform.texts(USER).join()).toContain('hi');
  expect(
    (await ground.world.store.sessions.list({ which: 'all', limit: 9 })).map(({ chat }) => chat),
  ).toEqual([USER]);
});

it('interrupts a run with a new message, and combines what came meanwhile in order', async () => {
  const turns: Turn[] = [];
  const begun = Promise.withResolvers<void>();
  const { platform } = await houses.open({
    async *script(turn) {
      turns.push(turn);
      if (turns.length > 1) return yield answered(`answer to ${turn.text}`);
      begun.resolve();
      await cancelled(turn);
      // A second message comes before the run has ended.
      await platform.say(USER, 'third');
      yield done('canceled');
    },
  });
  await platform.say(USER, 'first');
  await within(begun.promise, 'the run to begin');
  await platform.say(USER, 'second');
  await platform.shows(USER, 'third');
  // The agent had written nothing down of the first one.
  expect(platform.texts(USER)).toEqual(['answer to first\n\nsecond\n\nthird']);
});

it('lets messages wait with `busy: queue`, and never mixes two people or a direct command', async () => {
  const texts: string[] = [];
  const go = Promise.withResolvers<void>();
  const { platform } = await houses.open({
    settings: '  busy: queue\ngroup_sessions_per_user: false\n',
    async *script(turn) {
      texts.push(turn.text);
      if (texts.length === 1) await go.promise;
      yield answered(turn.text);
    },
  });
  for (const [from, text] of [
    [USER, 'a'],
    [USER, 'b'],
    [USER, 'c'],
    ['3', 'd'],
    [USER, '!e'],
    [USER, 'f'],
  ] as const)
    await platform.say('-9', text, { from });
  go.resolve();
  await platform.until(() => platform.chat('-9').length === 5);
  expect(texts).toEqual(['a', 'b\n\nc', 'd', '!e', 'f']);
});

it('gives messages to the running agent with `busy: steer` when it asks for them', async () => {
  const begun = Promise.withResolvers<void>();
  const come = Promise.withResolvers<void>();
  const { platform, ground } = await houses.open({
    settings: '  busy: steer\n',
    async *script(turn) {
      begun.resolve();
      await come.promise;
      const more = (await turn.more?.()) ?? [];
      yield answered(`${turn.text}, then ${more.join(', ')}`);
    },
  });
  await platform.say(USER, 'start');
  await within(begun.promise, 'the run to begin');
  await platform.say(USER, 'one');
  await platform.say(USER, 'two');
  await platform.say(USER, '!three');
  come.resolve();
  await platform.shows(USER, '!three, then');
  expect(platform.texts(USER)).toEqual(['start, then one, two', '!three, then ']);
  expect(await ground.world.store.inbox.waiting()).toEqual([]);
});

it('stops a run at once, and drops what waits', async () => {
  const { platform } = await houses.open({
    settings: '  busy: queue\n',
    async *script(turn) {
      yield { type: 'text', delta: 'thinking about it' };
      await cancelled(turn);
      yield done('canceled');
    },
  });
  await platform.say(USER, 'long work');
  await platform.shows(USER, 'thinking');
  await platform.say(USER, 'more');
  await platform.say(USER, '/stop');
  await platform.shows(USER, 'dropped');
  await platform.shows(USER, '(stopped)');
  expect(platform.texts(USER)).toEqual([
    'thinking about it\n\n(stopped)',
    'Stopped. 1 waiting message was dropped.',
  ]);
});

it('says what it is asked by commands during a run, and hints at unknown ones', async () => {
  const { platform } = await houses.open({
    async *script(turn) {
      await cancelled(turn);
      yield done('canceled');
    },
  });
  await platform.say(USER, 'work');
  for (const text of [
    '/status',
    '/help',
    '/usage',
    '/frobnicate',
    '/network open',
    '/get x',
    '/files',
    '/sandbox',
    '/start@bot',
  ])
    await platform.say(USER, text);
  await platform.until(() => platform.chat(USER).length === 9);
  const all = platform.texts(USER).join('\n---\n');
  expect(all).toContain('Now: working');
  expect(all).toContain('Model: test-model');
  expect(all).toContain('Isolation: ');
  expect(all).toContain('Network: none');
  expect(all).toContain('/stop — ');
  expect(all).not.toContain('/approve ');
  expect(all).toContain('Tokens: 1 in, 2 out');
  expect(all).toContain('I do not know /frobnicate');
  expect(all).toContain('Only an owner may use /network');
  expect(all).toContain('no sandbox yet');
});

it('repeats the warning about `local` in every status', async () => {
  const { platform } = await houses.open({ environment: { TERMINAL_ENV: 'local' } });
  await platform.say(OWNER, '/status');
  await platform.shows(OWNER, 'Gateway is running with local terminal backend');
});

it('starts afresh with /new, and a message that waited is not carried over', async () => {
  const sessions = new Set<string>();
  const { platform } = await houses.open({
    async *script(turn, session) {
      sessions.add(session.id);
      yield answered(`ok ${turn.text}`);
    },
  });
  await platform.say(USER, 'one');
  await platform.shows(USER, 'ok one');
  await platform.say(USER, '/new');
  await platform.shows(USER, 'new conversation');
  await platform.say(USER, 'two');
  await platform.shows(USER, 'ok two');
  expect(sessions.size).toBe(2);
});

it('starts afresh by the rule, and never under a background process', async () => {
  const sessions: string[] = [];
  const { platform, ground } = await houses.open({
    async *script(turn, session) {
      sessions.push(session.id);
      yield answered(`ok ${turn.text}`);
    },
  });
  const { store, installation } = ground.world;
  const day = 25 * 3_600_000;
  await platform.say(USER, 'one');
  await platform.shows(USER, 'ok one');
  ground.age(day);
  await platform.say(USER, 'two');
  await platform.shows(USER, 'ok two');
  const sessionId = sessions[1] ?? '';
  const shape = {
    whenIdle: 'destroy',
    policyHash: 'x',
    policy: {},
    deadline: 0,
    backend: 'bubblewrap',
  } as const;
  await store.ledger.enter({ id: 'box', sessionId, installation, ...shape });
  await store.processes.enter({ sandboxId: 'box', id: 'p1', command: 'sleep 1000' });
  ground.age(day);
  await platform.say(USER, 'three');
  await platform.shows(USER, 'ok three');
  await platform.say(USER, '/new');
  await platform.shows(USER, '/new anyway');
  await store.processes.end({ sandboxId: 'box', id: 'p1' }, { state: 'exited', code: 0 });
  expect(sessions[0]).not.toBe(sessions[1]);
  expect(sessions[1]).toBe(sessions[2]);
  await store.ledger.move('box', 'destroying');
  await store.ledger.move('box', 'gone');
});

it('runs at most so many sessions at once, and the longest waiting first', async () => {
  const order: string[] = [];
  const gates = new Map([USER, '3', '4'].map(id => [id, Promise.withResolvers<void>()]));
  const { platform, gateway } = await houses.open({
    settings: '  max_concurrent_runs: 1\n',
    async *script(turn) {
      order.push(turn.text);
      await gates.get(turn.text)?.promise;
      yield answered(turn.text);
    },
  });
  for (const id of [USER, '3', '4']) await platform.say(id, id);
  expect(gateway.status().runs).toEqual({ active: 1, waiting: 2 });
  for (const gate of gates.values()) gate.resolve();
  await platform.until(() => platform.chat('4').length === 1);
  expect(order).toEqual([USER, '3', '4']);
});

it('asks the person who wrote, and takes their next message or button as the answer', async () => {
  const { platform } = await houses.open({
    async *script(turn) {
      const size = await turn.answer?.('Which size?', ['small', 'large']);
      const colour = await turn.answer?.('Which colour?', []);
      yield answered(`${size} and ${colour}`);
    },
  });
  await platform.say('-9', 'a shirt', { from: USER });
  await platform.shows('-9', 'Which size?');
  await platform.press('-9', 'large', { from: '3' });
  expect(platform.notes).toEqual(['Only the person who was asked can answer.']);
  await platform.press('-9', 'large', { from: USER });
  await platform.shows('-9', 'Which colour?');
  await platform.say('-9', 'red', { from: USER });
  await platform.shows('-9', 'large and red');
});

it('goes on without a platform that fails', async () => {
  const broken = new MemoryPlatform('discord');
  broken.trouble = () => {
    throw new Error('no such account');
  };
  const { platform, gateway } = await houses.open({ others: [broken] });
  await platform.say(USER, 'hi');
  await platform.shows(USER, 'echo hi');
  expect(gateway.status().platforms).toMatchObject([
    { name: 'telegram', state: 'connected' },
    { name: 'discord', state: 'failed' },
  ]);
});

it('drops with /stop what came before it, and nothing that came after', async () => {
  const begun = Promise.withResolvers<void>();
  const { platform, ground, gateway } = await houses.open({
    settings: '  busy: queue\n',
    async *script(turn) {
      if (turn.text !== 'long') return yield answered(`ok ${turn.text}`);
      begun.resolve();
      await cancelled(turn);
      yield done('canceled');
    },
  });
  await platform.say(USER, 'long');
  await within(begun.promise, 'the run to begin');
  await platform.say(USER, 'before');
  // Both are stored before the command acts.
  await Promise.all([platform.say(USER, '/stop'), platform.say(USER, 'after')]);
  await platform.shows(USER, 'ok after');
  await gateway.drained();
  expect(platform.texts(USER).join('\n')).not.toContain('ok before');
  expect(await ground.world.store.inbox.waiting()).toEqual([]);
});

it('looks once at the end of a process that belongs to no chat', async () => {
  const { ground, platform } = await houses.open();
  const { store, installation } = ground.world;
  const session = await store.sessions.enter({ key: 'cli', kind: 'cli', platform: 'cli', chat: 'c' });
  const shape = {
    whenIdle: 'destroy',
    policyHash: 'x',
    policy: {},
    deadline: 0,
    backend: 'bubblewrap',
  } as const;
  await store.ledger.enter({ id: 'box', sessionId: session.id, installation, ...shape });
  await store.processes.enter({ sandboxId: 'box', id: 'p1', command: 'true' });
  await store.processes.end({ sandboxId: 'box', id: 'p1' }, { state: 'exited', code: 0 });
  await expect.poll(() => store.processes.untold()).toEqual([]);
  expect(platform.texts(OWNER)).toEqual([]);
  await store.ledger.move('box', 'destroying');
  await store.ledger.move('box', 'gone');
});

it('shows the tries of a model as one message that says in the end how it went', async () => {
  const notice = (text: string) => ({ type: 'notice', text, about: 'retry' }) as const;
  const { platform, gateway } = await houses.open({
    async *script({ text }) {
      for (const seconds of [1, 2, 4]) yield notice(`Trying again in ${seconds} s.`);
      if (text === 'fails') return yield done('failed');
      yield { type: 'text', delta: 'The answer.' };
      yield answered('The answer.');
    },
  });
  await platform.say(USER, 'works');
  await platform.shows(USER, 'The answer.');
  await platform.say('3', 'fails');
  await platform.shows('3', 'failed');
  await gateway.drained();
  const first = platform.texts(USER).filter(text => text !== 'The answer.');
  expect(first).toEqual(['The model did not answer at first. It does now.']);
  expect(platform.texts('3')).toEqual(['The model did not answer.', 'failed']);
});
