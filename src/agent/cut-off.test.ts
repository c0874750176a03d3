import { expect, it } from 'vitest';
import type { Message, ToolCall } from '../providers/provider.ts';
import { decideCutOff } from './cut-off.ts';

const call = (id: string): ToolCall => ({ id, name: 'terminal', input: '{}' });
const said: Message = { role: 'user', text: 'Work' };
const calls = (...ids: string[]): Message => ({ role: 'assistant', text: '', calls: ids.map(call) });
const answer = (id: string, text = 'done'): Message => ({
  role: 'tool',
  answers: [{ id, name: 'terminal', text, isError: false }],
});
const text = (spoken: string): Message => ({ role: 'assistant', text: spoken, calls: [] });
const decide = (messages: readonly Message[], ...begun: string[]) => decideCutOff(messages, new Set(begun));

it('P10: runs again what had begun nothing, also when its calls were written down', () => {
  expect(decide([])).toEqual({ kind: 'again' });
  expect(decide([said])).toEqual({ kind: 'again' });
  expect(decide([said, calls('a', 'b')])).toEqual({ kind: 'again' });
});

it('P10: goes on where the outcome of all that had begun is known', () => {
  expect(decide([said, calls('a', 'b'), answer('a')])).toMatchObject({
    kind: 'continue',
    calls: { known: [{ call: call('a') }], unknown: [], notBegun: [call('b')] },
  });
  expect(decide([said, calls('a'), answer('a')])).toMatchObject({ kind: 'continue' });
});

it('P10: says "unknown" of what had begun and has no answer, and of nothing else', () => {
  expect(decide([said, calls('a', 'b', 'c'), answer('a')], 'b')).toMatchObject({
    kind: 'unknown',
    calls: { known: [{ call: call('a') }], unknown: [call('b')], notBegun: [call('c')] },
  });
});

it('P12: gives the answer that was there already, also the output of a command', () => {
  expect(decide([said, text('The answer.')])).toEqual({ kind: 'answered', text: 'The answer.' });
  const direct: Message = { role: 'user', text: '!ls' };
  expect(decide([direct, calls('a'), answer('a', 'files')])).toEqual({
    kind: 'answered',
    text: expect.stringContaining('files'),
  });
  expect(decide([direct, calls('a')], 'a')).toMatchObject({ kind: 'unknown' });
});

it('knows that the history has an end already', () => {
  expect(decide([said, calls('a'), answer('a'), text('[Cancelled before this was answered.]')])).toEqual({
    kind: 'closed',
  });
});
