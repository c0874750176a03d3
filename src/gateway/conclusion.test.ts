import { expect, it } from 'vitest';
import { conclude, type RunTraces } from './conclusion.ts';

const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, toolCalls: 0 };
const nothing: RunTraces = {
  ...{ ending: undefined, hadStartedTools: false, isRecorded: true },
  ...{ shown: '', isShown: false, sentFiles: 0 },
};
const canceled = { kind: 'canceled', usage } as const;

it('says the answer, and something when there is none', () => {
  expect(conclude({ kind: 'answered', text: 'hi', usage }, nothing)).toEqual({ inbox: 'finish', text: 'hi' });
  expect(conclude({ kind: 'answered', text: ' ', usage }, nothing).text).toContain('Done');
  expect(conclude({ kind: 'answered', text: '', usage }, { ...nothing, sentFiles: 1 })).toEqual({
    inbox: 'finish',
  });
});

it('marks what stands in the chat when a run was interrupted or stopped, and is silent otherwise', () => {
  for (const ending of ['interrupted', 'stopped'] as const) {
    expect(conclude(canceled, { ...nothing, ending })).toEqual({ inbox: 'finish' });
    const { text } = conclude(canceled, { ...nothing, ending, shown: 'half', isShown: true });
    expect(text).toBe(`half\n\n(${ending})`);
    // Only what was being done stood there.
    expect(conclude(canceled, { ...nothing, ending, isShown: true }).text).toBe(`(${ending})`);
  }
});

it('P12: lets an interrupted message wait again that the conversation does not have, and drops a stopped one', () => {
  const unheard = { ...nothing, isRecorded: false };
  expect(conclude(canceled, { ...unheard, ending: 'interrupted' })).toEqual({ inbox: 'put-back' });
  expect(conclude(canceled, { ...unheard, ending: 'stopped' })).toEqual({ inbox: 'finish' });
  expect(conclude(canceled, { ...unheard, ending: 'interrupted', hadStartedTools: true }).inbox).toBe(
    'finish',
  );
});

it('P10: leaves what a stop cuts off to the next start, which decides as after a crash', () => {
  expect(conclude(canceled, { ...nothing, ending: 'shutdown' })).toEqual({ inbox: 'leave' });
  const cut = {
    ...nothing,
    ending: 'shutdown',
    hadStartedTools: true,
    isShown: true,
    shown: 'half',
  } as const;
  const { inbox, text } = conclude(canceled, cut);
  expect(inbox).toBe('leave');
  expect(text).toContain('takes this up after its start');
});
