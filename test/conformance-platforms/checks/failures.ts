// Proofs of what happens when the server, the network or the token fails.
import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { PlatformState } from '../../../src/platforms/platform.ts';
import { recordingClock } from '../../fixtures/hasty-clock.ts';
import type { Line } from '../trial.ts';
import { proofs } from '../verifies.ts';

const LIMIT_S = 3;

function reasonOf(state: PlatformState): string {
  return state.kind === 'connected' ? '' : state.reason;
}

export const failureProofs = proofs({
  async 'failures.limited'(trial) {
    const { clock, waits } = recordingClock();
    const line = await trial.connect({ clock });
    const { chat } = await trial.greet(line);
    trial.peer.limitOnce?.(LIMIT_S);
    const reported = await trial.failure(line.connection.send(chat, { text: 'reported', limit: 'report' }));
    expect(reported.details).toMatchObject({ retryAfterMs: expect.any(Number), mayBeDelivered: false });
    await line.connection.send(chat, { text: 'patient' });
    // It may count from when the answer came, and this clock runs fast.
    expect(Math.max(...waits)).toBeGreaterThan((LIMIT_S * 1000) / 2);
    await trial.peer.whenSeen(({ text }) => text === 'patient');
    expect(trial.peer.seen()).toHaveLength(1);
  },

  async 'failures.limited-edit'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const { ids } = await line.connection.send(chat, { text: 'one' });
    trial.peer.limitOnce?.(LIMIT_S);
    const edit = (): Promise<unknown> =>
      Promise.resolve(line.connection.edit?.(chat, ids[0] ?? '', { text: 'two' }));
    for (const error of [await trial.failure(edit()), await trial.failure(edit())]) {
      expect(error.code).toBe('UNAVAILABLE_PLATFORM');
      expect(error.details?.['retryAfterMs']).toBeGreaterThan(0);
      expect(error.details?.['retryAfterMs']).toBeLessThanOrEqual(LIMIT_S * 1000);
    }
    // What is sent waits behind the same limit.
    await line.connection.send(chat, { text: 'three' });
    await edit();
    expect(trial.peer.seen().map(({ text }) => text)).toEqual(['two', 'three']);
  },

  async 'failures.server'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    trial.peer.failOnce?.();
    expect((await trial.failure(line.connection.send(chat, { text: 'one' }))).code).toBe(
      'UNAVAILABLE_PLATFORM',
    );
    await line.connection.send(chat, { text: 'one' });
    expect(trial.peer.seen().map(({ text }) => text)).toEqual(['one']);
  },

  async 'failures.blocked'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    trial.peer.blockOnce?.();
    expect((await trial.failure(line.connection.send(chat, { text: 'one' }))).code).toBe(
      'USAGE_NOT_DELIVERED',
    );
  },

  async 'failures.reconnect'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    trial.peer.cut?.();
    expect(reasonOf(await line.state('offline'))).not.toBe('');
    const told = line.states.length;
    expect((await trial.failure(line.connection.send(chat, { text: 'lost' }))).code).toBe(
      'UNAVAILABLE_PLATFORM',
    );
    await trial.peer.say({ text: 'meanwhile' });
    trial.peer.restore?.();
    await line.message('meanwhile');
    await line.state('connected', told);
    await line.connection.send(chat, { text: 'back' });
    await trial.peer.whenSeen(({ text }) => text === 'back');
  },

  async 'failures.back-off'(trial) {
    const { clock, waits } = recordingClock();
    const line = await trial.connect({ clock });
    trial.peer.cut?.();
    await line.state('offline');
    const before = waits.length;
    await trial.until(() => waits.length >= before + 4, 'four waits');
    const [first = 0, , third = 0] = waits.slice(before);
    expect(third, `waits: ${waits}`).toBeGreaterThan(1.5 * first);
  },

  async 'failures.competitor'(trial) {
    const line = await trial.connect();
    trial.peer.compete?.('on');
    await trial.peer.say({ text: 'who gets it' });
    const state = await line.state('offline');
    expect(reasonOf(state)).toMatch(/another program/);
    trial.peer.compete?.('off');
    await line.message('who gets it');
    await line.state('connected', line.states.indexOf(state));
  },

  async 'failures.token'(trial) {
    trial.peer.revoke?.();
    const error = await trial.failure(trial.connect());
    expect(error.code).toBe('AUTH_PLATFORM_TOKEN');
    for (const secret of trial.ground.secrets) expect(inspect(error, { depth: 9 })).not.toContain(secret);
  },

  async 'failures.revoked'(trial) {
    const line = await trial.connect();
    await trial.greet(line);
    trial.peer.revoke?.();
    await trial.peer.say({ text: 'unheard' });
    const state = await line.state('failed');
    expect(state).toMatchObject({ kind: 'failed', code: 'AUTH_PLATFORM_TOKEN' });
    expect(line.states.at(-1)).toBe(state);
    await line.close();
  },

  async 'failures.secret'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    const errors = await everyFailure(line, chat, trial);
    trial.peer.cut?.();
    await line.state('offline');
    errors.push(...(await everyFailure(line, chat, trial)));
    errors.push(await trial.failure(trial.connect()));
    const said = inspect([errors, line.states], { depth: 9 }) + JSON.stringify(errors) + trial.log;
    for (const secret of trial.ground.secrets) expect(said).not.toContain(secret);
  },
});

/** What every call of a connection throws now, where it throws. */
async function everyFailure(
  { connection }: Line,
  chat: Parameters<Line['connection']['send']>[0],
  { peer }: { peer: { failOnce?(): void; blockOnce?(): void } },
): Promise<unknown[]> {
  const caught: unknown[] = [];
  const attempt = async (work: () => Promise<unknown> | undefined): Promise<void> => {
    try {
      await work();
    } catch (error) {
      caught.push(error);
    }
  };
  for (const spoil of [peer.failOnce, peer.blockOnce]) {
    spoil?.();
    await attempt(() => connection.send(chat, { text: 'x' }));
    spoil?.();
    await attempt(() => connection.sendFile(chat, { name: 'x', bytes: Buffer.from('x') }));
  }
  await attempt(() => connection.edit?.(chat, '987654', { text: 'x' }));
  await attempt(() => connection.fetchFile({ fileId: 'none' }));
  await attempt(() => connection.typing?.(chat));
  await attempt(() => connection.announce?.([]));
  await attempt(() => connection.answerButton?.('none', 'x'));
  return caught;
}

export const lifeProofs = proofs({
  async 'life.pause'(trial) {
    const line = await trial.connect();
    const { chat } = await trial.greet(line);
    await line.connection.pause();
    await trial.peer.say({ text: 'too late' });
    await line.connection.send(chat, { text: 'goodbye' });
    await trial.peer.whenSeen(({ text }) => text === 'goodbye');
    await line.close();
    expect(line.events).toHaveLength(1);
  },

  async 'life.close'(trial) {
    const line = await trial.connect();
    await trial.greet(line);
    trial.peer.cut?.();
    await trial.within(line.close(), 'it to close');
    await trial.within(line.connection.close(), 'it to close again');
  },

  async 'life.aborted'(trial) {
    const work = trial
      .platform()
      .connect({ receive: async () => undefined, onState: () => undefined, signal: AbortSignal.abort() });
    await trial.failure(work);
  },
});
