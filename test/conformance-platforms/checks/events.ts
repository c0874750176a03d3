// Proofs of what becomes an event, and when it is acknowledged.

import { expect } from 'vitest';
import type { PlatformEvent } from '../../../src/platforms/platform.ts';
import { fc } from '../../property.ts';
import type { Line, Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

const textsOf = (line: Line): string[] =>
  line.events.map(event => (event.kind === 'message' ? event.text : event.data));

/** What comes before a later word has come or never will. */
async function ignored(trial: Trial, act: () => Promise<void> | undefined): Promise<void> {
  const line = await trial.connect();
  await trial.greet(line, { text: 'before' });
  await act();
  await trial.greet(line, { text: 'after' });
  expect(textsOf(line)).toEqual(['before', 'after']);
}

const anything = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean()),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        'message',
        'from',
        'chat',
        'id',
        'text',
        'type',
        'entities',
        'data',
        'valueOf',
        'length',
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value;

export const eventProofs = proofs({
  async 'events.addressed'(trial) {
    const line = await trial.connect();
    const forUs = await trial.greet(line, { text: 'for us', place: 'group' });
    const others = await trial.greet(line, { text: 'for others', place: 'group', isForBot: 'no' });
    expect([forUs.isAddressed, others.isAddressed]).toEqual([true, false]);
    expect(await trial.greet(line, { text: 'alone' })).toMatchObject({ isAddressed: true });
  },

  'events.own': trial => ignored(trial, () => trial.peer.sayAs?.('itself', 'mine')),
  'events.bots': trial => ignored(trial, () => trial.peer.sayAs?.('bot', 'beep')),
  'events.edited': trial => ignored(trial, () => trial.peer.editLast?.('changed')),

  async 'events.bustle'(trial) {
    const line = await trial.connect();
    await trial.greet(line, { text: 'before', place: 'group' });
    await trial.peer.bustle?.();
    await trial.greet(line, { text: 'after', place: 'group' });
    expect(textsOf(line)).toEqual(['before', 'after']);
    expect(line.states).toEqual([{ kind: 'connected' }]);
  },

  async 'events.repeat'(trial) {
    const line = await trial.connect();
    const first = await trial.greet(line, { text: 'once' });
    await trial.peer.repeatLast?.();
    await trial.greet(line, { text: 'after' });
    const same = line.events.filter(event => event.kind === 'message' && event.text === 'once');
    expect(same.length).toBeGreaterThan(0);
    for (const event of same) expect(event).toEqual(first);
  },

  async 'events.order'(trial) {
    const line = await trial.connect({
      // The first ones take longest.
      receive: async event => {
        if (event.kind === 'message' && event.text < '05') await new Promise(setImmediate);
      },
    });
    const words = Array.from({ length: 30 }, (_, at) => String(at).padStart(2, '0'));
    for (const text of words) await trial.peer.say({ text });
    await line.message('29');
    expect(textsOf(line)).toEqual(words);
  },

  async 'events.stored'(trial) {
    const stored = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const line = await trial.connect({
      receive: async event => {
        if (event.kind !== 'message' || event.text !== 'keep') return;
        arrived.resolve();
        await stored.promise;
      },
    });
    const { chat } = await trial.greet(line);
    await trial.peer.say({ text: 'keep' });
    await trial.within(arrived.promise, 'it to arrive');
    // A pause acknowledges what is stored; while it waits for this one there is time to do so too early.
    const paused = line.connection.pause();
    for (const text of ['one', 'two', 'three', 'four', 'five']) await line.connection.send(chat, { text });
    expect(trial.peer.unacknowledged?.()).toBe(1);
    stored.resolve();
    await trial.within(paused, 'the pause');
    expect(trial.peer.unacknowledged?.()).toBe(0);
  },

  async 'events.refused'(trial) {
    let refusals = 2;
    const line = await trial.connect({
      receive: async event => {
        if (event.kind === 'message' && event.text === 'second' && refusals-- > 0)
          throw new Error('disk full');
      },
    });
    for (const text of ['first', 'second', 'third']) await trial.peer.say({ text });
    await line.message('third');
    expect(textsOf(line)).toEqual(['first', 'second', 'third']);
    await line.connection.pause();
    expect(trial.peer.unacknowledged?.()).toBe(0);
  },

  async 'events.restart'(trial) {
    const arrived = Promise.withResolvers<void>();
    const never = new Promise<never>(() => undefined);
    // It crashes while it stores; nothing of it is closed before the check ends.
    const crashed = trial.connect({
      receive: () => {
        arrived.resolve();
        return Promise.race([never, after.promise]);
      },
    });
    const after = Promise.withResolvers<void>();
    await crashed;
    await trial.peer.say({ text: 'crash' });
    await trial.within(arrived.promise, 'it to arrive');
    const next = await trial.connect();
    await next.message('crash');
    await next.close();
    after.resolve();
    await (await crashed).close();
    const last = await trial.connect();
    await trial.greet(last, { text: 'later' });
    expect(textsOf(last)).toEqual(['later']);
  },

  async 'events.malformed'(trial) {
    const line = await trial.connect();
    for (const payload of fc.sample(anything, 300)) trial.peer.push?.(payload);
    for (const [kind, payload] of fc.sample(
      fc.tuple(fc.constantFrom('message', 'callback_query'), anything),
      300,
    )) {
      trial.peer.push?.({ [kind]: payload });
    }
    expect(await trial.greet(line, { text: 'still there' })).toMatchObject({ text: 'still there' });
    const kinds: PlatformEvent['kind'][] = ['message', 'button'];
    for (const event of line.events) expect(kinds).toContain(event.kind);
    await line.state('connected', line.states.length - 1);
  },

  async 'events.quiet'(trial) {
    const line = await trial.connect();
    const file = { name: 'a.txt', bytes: Buffer.from('x') };
    await trial.greet(line, { text: 'alone' });
    await trial.greet(line, {
      text: 'with a file',
      ...(trial.platform().capabilities.maxFileIn > 0 ? { file } : {}),
    });
    await line.connection.pause();
    expect(trial.peer.seen()).toEqual([]);
    expect(trial.peer.fetched?.() ?? 0).toBe(0);
    const quiet =
      trial.peer.whenTyping?.('private').then(
        () => 'typing',
        () => 'quiet',
      ) ?? 'quiet';
    // Anything that was asked for would be there by now: the pause has waited for what was under way.
    expect(await Promise.race([quiet, new Promise(resolve => setImmediate(() => resolve('quiet')))])).toBe(
      'quiet',
    );
  },
});
