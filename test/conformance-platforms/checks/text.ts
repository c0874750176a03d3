// Proofs of what people see of a text.
import { expect } from 'vitest';
import type { Line, MessageEvent, Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

async function conversation(trial: Trial): Promise<{ line: Line; chat: MessageEvent['chat'] }> {
  const line = await trial.connect();
  const { chat } = await trial.greet(line);
  return { line, chat };
}

/** What is seen of it in the order of the ids. */
async function shown(trial: Trial, ids: readonly string[]): Promise<string[]> {
  const last = ids.at(-1);
  await trial.peer.whenSeen(({ id }) => id === last);
  const seen = trial.peer.seen();
  return ids.map(each => seen.find(({ id }) => id === each)?.text ?? '');
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** `hidden`: what a platform may show as formatting, such as the address behind a link. */
async function showsWords(
  trial: Trial,
  texts: readonly string[],
  hidden: readonly string[] = [],
): Promise<void> {
  const { line, chat } = await conversation(trial);
  for (const text of texts) {
    const { ids } = await line.connection.send(chat, { text });
    const seen = wordsOf((await shown(trial, ids)).join(' '));
    const missing = wordsOf(text).filter(word => !seen.some(each => each.includes(word)));
    expect(
      missing.filter(word => !hidden.includes(word)),
      text,
    ).toEqual([]);
  }
}

const long = (trial: Trial): string => {
  const { maxText } = trial.platform().capabilities;
  const sentence = (at: number): string => `Sentence w${at} of a long answer.${at % 9 === 0 ? '\n\n' : ' '}`;
  let text = '';
  for (let at = 0; text.length < maxText * 2.5; at++) text += sentence(at);
  return text;
};

export const textProofs = proofs({
  async 'text.exact'(trial) {
    const { line, chat } = await conversation(trial);
    for (const text of [
      'plain',
      'a < b & c > d; "q" \'s\'',
      'ünïcödé 👩‍👩‍👧 漢字 ‮rtl',
      'C:\\path %20 $HOME',
    ]) {
      const { ids } = await line.connection.send(chat, { text });
      expect(await shown(trial, ids)).toEqual([text]);
    }
  },

  'text.markdown': trial =>
    showsWords(
      trial,
      [
        '# Title\n\n**bold** and _slanted_ and `code()`\n\n- one\n- two\n  - three\n\n1. first\n2. second',
        '> quoted\n\n```js\nconst a = 1 < 2;\n```\n\n[label](https://example.org/path)',
        '| name | value |\n|---|---|\n| one | **two** |',
      ],
      ['js', 'https', 'example', 'org', 'path'],
    ),

  'text.broken': trial =>
    showsWords(trial, [
      '**open and _open and `open',
      '<b>tag <i>inside</b> &amp; &unknown; <script>alert(1)</script>',
      '[label](broken ![x](y **z** ](',
      '```\nnever closed <b>',
      '_*_*_ word *_*_*',
      `${'> '.repeat(60)}deep`,
    ]),

  async 'text.split'(trial) {
    const { line, chat } = await conversation(trial);
    const text = long(trial);
    const { ids } = await line.connection.send(chat, { text });
    const parts = await shown(trial, ids);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(trial.platform().capabilities.maxText);
    expect(wordsOf(parts.join(' '))).toEqual(wordsOf(text));
  },

  async 'text.fences'(trial) {
    const { line, chat } = await conversation(trial);
    const { maxText } = trial.platform().capabilities;
    const lines = (count: number, word: string): string[] =>
      Array.from({ length: count }, (_, at) => `${word}(${at});`);
    const short = lines(Math.floor(maxText / 40), 'short').join('\n');
    const huge = lines(Math.floor(maxText / 6), 'huge').join('\n');
    const filler = 'filler '.repeat(Math.floor((maxText * 0.8) / 7));
    const { ids } = await line.connection.send(chat, {
      text: `${filler}\n\`\`\`js\n${short}\n\`\`\`\nbetween\n\`\`\`js\n${huge}\n\`\`\`\nend`,
    });
    const parts = await shown(trial, ids);
    expect(parts.filter(part => part.includes(short))).toHaveLength(1);
    const calls = parts.flatMap(part => part.match(/huge\(\d+\);/g) ?? []);
    expect(calls.join('\n')).toBe(huge);
  },

  async 'text.refused'(trial) {
    const { line, chat } = await conversation(trial);
    trial.peer.refuseFormattingOnce?.();
    const { ids } = await line.connection.send(chat, { text: '**important**' });
    expect((await shown(trial, ids)).join('')).toContain('important');
  },

  async 'text.resumed'(trial) {
    const { line, chat } = await conversation(trial);
    const text = long(trial);
    const sends: Promise<unknown>[] = [];
    // Behind the first part of it.
    const first = trial.peer
      .whenSeen(({ text: part }) => part.includes('Sentence w0 '))
      .then(() => trial.peer.failOnce?.());
    sends.push(line.connection.send(chat, { text }));
    const error = await trial.failure(Promise.all(sends));
    await first;
    expect(error.code).toBe('UNAVAILABLE_PLATFORM');
    const sentIds = error.details?.['sentIds'] as readonly string[]; // checked below
    expect(sentIds.length).toBeGreaterThan(0);
    const { ids } = await line.connection.send(chat, { text, sentIds });
    expect(ids.slice(0, sentIds.length)).toEqual(sentIds);
    await shown(trial, ids);
    expect(
      wordsOf(
        trial.peer
          .seen()
          .map(each => each.text)
          .join(' '),
      ),
    ).toEqual(wordsOf(text));
  },

  async 'text.marked'(trial) {
    const { line, chat } = await conversation(trial);
    const { ids } = await line.connection.send(chat, { text: 'all of it', mark: '(repeated)' });
    expect(await shown(trial, ids)).toEqual(['(repeated) all of it']);
    const text = long(trial);
    const whole = await shown(trial, (await line.connection.send(chat, { text })).ids);
    const again = await line.connection.send(chat, { text, mark: '(repeated)', sentIds: ['0'] });
    // Where it was cut before; what does not fit behind the mark any more has one message more.
    const parts = await shown(trial, again.ids.slice(2));
    expect(parts).toEqual(whole.slice(2));
  },

  async 'text.blank'(trial) {
    const { line, chat } = await conversation(trial);
    const error = await trial.failure(line.connection.send(chat, { text: ' \n ' }));
    expect(error.code).toBe('USAGE_NOT_DELIVERED');
  },
});

export const editProofs = proofs({
  async 'edit.shown'(trial) {
    const { line, chat } = await conversation(trial);
    const { ids } = await line.connection.send(chat, { text: 'working' });
    for (const text of ['**half**', 'whole <answer>'])
      await line.connection.edit?.(chat, ids[0] ?? '', { text });
    await trial.peer.whenSeen(({ id, text }) => id === ids[0] && text === 'whole <answer>');
    expect(trial.peer.seen()).toHaveLength(1);
  },

  async 'edit.same'(trial) {
    const { line, chat } = await conversation(trial);
    const { ids } = await line.connection.send(chat, { text: '**same**' });
    await line.connection.edit?.(chat, ids[0] ?? '', { text: '**same**' });
    await line.connection.edit?.(chat, ids[0] ?? '', { text: 'other' });
    await trial.peer.whenSeen(({ id, text }) => id === ids[0] && text === 'other');
  },

  async 'edit.gone'(trial) {
    const { line, chat } = await conversation(trial);
    const error = await trial.failure(Promise.resolve(line.connection.edit?.(chat, '987654', { text: 'x' })));
    expect(error.code).toBe('USAGE_NOT_DELIVERED');
  },
});
