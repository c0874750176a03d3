import { describe, expect, it } from 'vitest';
import type { Message } from '../providers/provider.ts';
import type { Entry } from './conversation.ts';
import { lastOld, writtenUpTo } from './plan-compaction.ts';

const words = (tokens: number): string => 'x'.repeat(tokens * 3);
const call = { id: 'a', name: 't', input: '{}' };

function entries(...messages: Message[]): Entry[] {
  return messages.map((message, at) => ({ seq: at + 1, message }));
}

const step: Message[] = [
  { role: 'assistant', text: '', calls: [call] },
  { role: 'tool', answers: [{ id: 'a', name: 't', text: words(100), isError: false }] },
];

describe('what is old', () => {
  it('is what does not fit into a quarter of the context', () => {
    const all = entries({ role: 'user', text: 'go' }, ...step, ...step, ...step, ...step);
    expect(lastOld(all, { contextTokens: 1000, pressure: 'near' })).toBe(5);
    expect(lastOld(all, { contextTokens: 1000, pressure: 'refused' })).toBe(7);
  });

  it('never parts a call from its answer, and leaves what comes last', () => {
    const all = entries({ role: 'user', text: 'go' }, ...step);
    expect(lastOld(all, { contextTokens: 10, pressure: 'near' })).toBe(1);
  });

  it('is nothing where all fits, or where there is one message only', () => {
    const all = entries({ role: 'user', text: words(10_000) });
    expect(lastOld(all, { contextTokens: 1000, pressure: 'near' })).toBeUndefined();
    expect(lastOld(entries(...step), { contextTokens: 10_000, pressure: 'near' })).toBeUndefined();
  });
});

describe('what the person wrote', () => {
  it('counts as far as the cut goes', () => {
    const all = entries({ role: 'user', text: 'old' }, ...step, { role: 'user', text: 'build it' }, ...step);
    expect(writtenUpTo(all, 5)).toEqual(['old', 'build it']);
    expect(writtenUpTo(all, 1)).toEqual(['old']);
    expect(writtenUpTo(all, 0)).toEqual([]);
  });
});
