// Runs and what was said in them, on every database.
import { describe, expect, it } from 'vitest';
import type { Repositories } from '../../../src/store/store.ts';
import { databases } from './databases.ts';

const enter = async (store: Repositories, key = 'k'): Promise<string> =>
  (await store.sessions.enter({ key, kind: 'messaging', platform: 'web', chat: key })).id;

const run = (id: string, sessionId: string, holder = 'gateway-1') => ({
  id,
  sessionId,
  holder,
  requester: 'web:p',
});

const spent = {
  inputTokens: 3_000_000_000,
  outputTokens: 20,
  modelCalls: 2,
  toolCalls: 3,
  costMicros: 1500,
  contextTokens: 1200,
};

const say = (sessionId: string, runId: string, text: string) => ({
  sessionId,
  runId,
  message: { role: 'user', text },
});

describe.each(databases)('$name', ({ use }) => {
  const open = use();

  describe('runs', () => {
    it('are kept with their end, and the first end stays', async () => {
      const { store, clock } = await open();
      const sessionId = await enter(store);
      await store.runs.begin(run('r', sessionId));
      expect(await store.runs.find('r')).toMatchObject({ state: 'running', startedTool: false });
      await store.runs.startTool('r', { ...spent, toolCalls: 1 });
      expect(await store.runs.find('r')).toMatchObject({ startedTool: true, toolCalls: 1 });
      clock.advance(5);
      expect(await store.runs.end('r', 'answered', spent)).toBe(true);
      expect(await store.runs.end('r', 'cut-off')).toBe(false);
      expect(await store.runs.find('r')).toEqual({
        ...run('r', sessionId),
        ...spent,
        state: 'answered',
        startedTool: true,
        startedAt: 1_000_000,
        endedAt: 1_000_005,
      });
      await expect(store.runs.begin(run('r', sessionId))).rejects.toThrow();
    });

    it('that have not ended are listed, oldest first, with those who run them', async () => {
      const { store, clock } = await open();
      const sessionId = await enter(store);
      for (const [id, holder] of [
        ['b', 'gateway-1'],
        ['a', 'gateway-2'],
        ['c', 'cli-1'],
      ] as const) {
        await store.runs.begin(run(id, sessionId, holder));
        clock.advance(1);
      }
      await store.runs.end('a', 'failed');
      const running = await store.runs.running();
      expect(running.map(({ id, holder }) => [id, holder])).toEqual([
        ['b', 'gateway-1'],
        ['c', 'cli-1'],
      ]);
      expect((await store.runs.last(sessionId))?.id).toBe('c');
      expect(await store.runs.last('nobody')).toBeUndefined();
    });

    it('are summed up for their session', async () => {
      const { store } = await open();
      const [sessionId, other] = [await enter(store), await enter(store, 'other')];
      const nothing = {
        runs: 0,
        inputTokens: 0,
        outputTokens: 0,
        modelCalls: 0,
        toolCalls: 0,
        costMicros: null,
      };
      expect(await store.runs.usage(sessionId)).toEqual(nothing);
      for (const [id, session] of [
        ['a', sessionId],
        ['b', sessionId],
        ['c', sessionId],
        ['d', other],
      ] as const)
        await store.runs.begin(run(id, session));
      for (const id of ['a', 'b', 'd']) await store.runs.end(id, 'answered', spent);
      await store.runs.end('c', 'answered', { ...spent, costMicros: null });
      expect(await store.runs.usage(sessionId)).toEqual({
        runs: 3,
        inputTokens: 9_000_000_000,
        outputTokens: 60,
        modelCalls: 6,
        toolCalls: 9,
        costMicros: 3000,
      });
    });
  });

  describe('turns', () => {
    it('come back in order, each session its own', async () => {
      const { store } = await open();
      const [one, two] = [await enter(store), await enter(store, 'other')];
      for (const text of ['a', 'b']) await store.turns.append(say(one, 'r', text));
      await store.turns.append(say(two, 's', 'c'));
      const { turns, summary, trimmedUpTo } = await store.turns.history(one);
      expect(turns.map(({ message }) => message)).toEqual([
        { role: 'user', text: 'a' },
        { role: 'user', text: 'b' },
      ]);
      expect([summary, trimmedUpTo]).toEqual([undefined, 0]);
      expect(await store.turns.ofRun('s')).toHaveLength(1);
    });

    it('that a summary covers are left out, and the newest summary counts', async () => {
      const { store } = await open();
      const sessionId = await enter(store);
      const seqs: number[] = [];
      for (const text of ['a', 'b', 'c', 'd']) seqs.push(await store.turns.append(say(sessionId, 'r', text)));
      const compaction = { sessionId, runId: 'r', text: 'so far' };
      await store.turns.compact({ ...compaction, kind: 'trim', covers: seqs[2] ?? 0 });
      await store.turns.compact({ ...compaction, kind: 'summary', covers: seqs[0] ?? 0 });
      await store.turns.compact({ ...compaction, kind: 'summary', covers: seqs[1] ?? 0, text: 'until b' });
      const history = await store.turns.history(sessionId);
      expect(history.summary).toEqual({ text: 'until b', covers: seqs[1] });
      expect(history.trimmedUpTo).toBe(seqs[2]);
      expect(history.turns.map(({ seq }) => seq)).toEqual(seqs.slice(2));
    });

    it('of a run that is to be run again are dropped', async () => {
      const { store } = await open();
      const sessionId = await enter(store);
      await store.turns.append(say(sessionId, 'r', 'a'));
      await store.turns.append(say(sessionId, 's', 'b'));
      await store.turns.dropRun('s');
      expect((await store.turns.history(sessionId)).turns.map(({ runId }) => runId)).toEqual(['r']);
    });

    it('go with their session', async () => {
      const { store } = await open();
      const sessionId = await enter(store);
      await store.runs.begin(run('r', sessionId));
      await store.turns.append(say(sessionId, 'r', 'a'));
      expect(await store.sessions.delete(sessionId)).toBe('deleted');
      expect(await store.turns.ofRun('r')).toEqual([]);
      expect(await store.runs.find('r')).toBeUndefined();
    });
  });
});
