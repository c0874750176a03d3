// What the model is shown of a history, whatever state a crash or a cancel has left it in.
import { describe, expect, it } from 'vitest';
import type { Message, ToolCall } from '../providers/provider.ts';
import { Conversation } from './conversation.ts';

const call = (id: string): ToolCall => ({ id, name: 'terminal', input: '{}' });
const user = (text: string): Message => ({ role: 'user', text });
const says = (text: string, ...calls: ToolCall[]): Message => ({ role: 'assistant', text, calls });
const answer = (id: string, text: string): Message => ({
  role: 'tool',
  answers: [{ id, name: 'terminal', text, isError: false }],
});

function conversation(...messages: Message[]): Conversation {
  const turns = messages.map((message, at) => ({ seq: at + 1, runId: 'r', message }));
  return new Conversation({ turns, summary: undefined, trimmedUpTo: 0 }, 20_000);
}

describe('a conversation', () => {
  it('gives the answers of a message together, in the order of its calls', () => {
    const shown = conversation(
      user('go'),
      says('', call('a'), call('b')),
      answer('b', '2'),
      answer('a', '1'),
    );
    expect(shown.messages().at(-1)).toEqual({
      role: 'tool',
      answers: [
        { id: 'a', name: 'terminal', text: '1', isError: false },
        { id: 'b', name: 'terminal', text: '2', isError: false },
      ],
    });
  });

  it('answers a call that has none with what is known of it', () => {
    const shown = conversation(user('go'), says('', call('a'), call('b')), answer('a', '1'), user('and?'));
    const [, , answers, seen, last] = shown.messages();
    expect(answers).toMatchObject({ answers: [{ text: '1' }, { id: 'b', isError: true }] });
    expect(JSON.stringify(answers)).toContain('unknown: Hermes ended');
    expect(seen).toMatchObject({ role: 'assistant', calls: [] });
    expect(last).toEqual(user('and?'));
  });

  it('takes answers only from behind their own message, though ids repeat', () => {
    const shown = conversation(user('go'), says('', call('0')), answer('0', 'first'), says('', call('0')));
    expect(JSON.stringify(shown.messages().at(-1))).toContain('unknown');
  });

  it('joins what a person wrote in a row', () => {
    expect(conversation(user('a'), user('b'), says('c')).messages()).toEqual([user('a\n\nb'), says('c')]);
  });

  it('joins what the agent said in a row, as after a restart', () => {
    const shown = conversation(
      user('a'),
      says('done'),
      says('[restarted]', call('1')),
      answer('1', 'x'),
      user('b'),
    );
    expect(shown.messages()).toMatchObject([
      user('a'),
      says('done\n\n[restarted]', call('1')),
      { role: 'tool' },
      { role: 'assistant', calls: [] },
      user('b'),
    ]);
  });

  it('puts the summary before what it does not cover', () => {
    const shown = conversation(user('a'), says('b'), user('c'));
    shown.summarise('they said a and b', 2);
    const messages = shown.messages();
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages[0])).toMatch(/they said a and b.*c/);
    shown.add({ seq: 4, message: says('d') });
    shown.summarise('they said more', 3);
    expect(shown.messages()).toMatchObject([{ role: 'user' }, says('d')]);
  });

  it('shows no result longer than the model can read', () => {
    const shown = conversation(user('a'), says('', call('1')), answer('1', 'x'.repeat(50_000)));
    expect(JSON.stringify(shown.messages().at(-1)).length).toBeLessThan(21_000);
    expect(JSON.stringify(shown.messages().at(-1))).toContain('Ask for less at a time');
  });

  it('shows old results in short, and the rest whole', () => {
    const long = 'x'.repeat(5000);
    const shown = conversation(
      user('a'),
      says('', call('1')),
      answer('1', long),
      says('', call('2')),
      answer('2', long),
    );
    shown.trim(3);
    const [, , old, , recent] = shown.messages();
    expect(JSON.stringify(old).length).toBeLessThan(700);
    expect(JSON.stringify(old)).toContain('Shortened because it is old');
    expect(JSON.stringify(recent)).toContain(long);
  });
});
