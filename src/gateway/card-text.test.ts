import { expect, it } from 'vitest';
import type { Question } from '../approvals/question.ts';
import { cardBodies, parseCardButton } from './card-text.ts';

const question: Question = {
  ...{ id: 'a'.repeat(16), nonce: 'n'.repeat(16), expiresAt: 0, sessionId: 's', runId: 'r' },
  ...{ requester: 'telegram:2', command: 'echo ```; rm x', findings: [] },
};

it('shows the whole command in a fence that it cannot end', () => {
  const [card] = cardBodies(question, { maxText: 4096, buttons: true });
  expect(card?.kind === 'card' && card.text).toContain('````\necho ```; rm x\n````');
});

it('has buttons of at most 64 bytes that can be read again', () => {
  const [card] = cardBodies(question, { maxText: 4096, buttons: true });
  const data = card?.kind === 'card' ? card.buttons.flat().map(each => each.data) : [];
  expect(data.every(each => each.length <= 64)).toBe(true);
  expect(data.map(parseCardButton).map(each => each?.decision)).toEqual([
    { kind: 'approve', scope: 'once' },
    { kind: 'approve', scope: 'session' },
    { kind: 'approve', scope: 'always' },
    { kind: 'deny' },
  ]);
  for (const other of ['', 'a', 'a:x', 'a:x:y:z', 'q:abcdefgh:1', 'a:x:y:o:more'])
    expect(parseCardButton(other)).toBeUndefined();
});

it('P8: puts what does not fit into a file, whole', () => {
  const command = 'x'.repeat(5000);
  const [file, card] = cardBodies({ ...question, command }, { maxText: 2000, buttons: false });
  expect(file?.kind === 'file' && Buffer.from(file.bytes).toString()).toContain(command);
  expect(card?.kind === 'card' && card.text.length).toBeLessThanOrEqual(1800);
});

it('P8: shows what turns text around or hides in it, and lets no finding be markup', () => {
  const command = 'rm -rf /srv #\u202e txt.etadpu\u200b\u0007';
  const finding = { severity: 'high', reason: 'deletes', part: '**x**\n[a](https://evil.example) `b`\u2066' };
  const found = { ...question, command, findings: [finding] as unknown as Question['findings'] }; // only this is shown
  for (const maxText of [4096, 300]) {
    const bodies = cardBodies(found, { maxText, buttons: true });
    const text = bodies
      .map(body =>
        body.kind === 'file' ? Buffer.from(body.bytes).toString() : body.kind === 'card' && body.text,
      )
      .join('\n');
    expect(text).toContain('rm -rf /srv #\\u{202e} txt.etadpu\\u{200b}\\u{7}');
    expect(text).toContain('`**x** ⏎ [a](https://evil.example) ˋbˋ\\u{2066}`');
    expect(text).not.toMatch(/[\u202e\u200b\u2066\u0007]/);
  }
});

it('names who wants it, if that is known, beside the id', () => {
  const [card] = cardBodies(question, { maxText: 4096, buttons: true }, 'Ann`a');
  expect(card?.kind === 'card' && card.text).toContain('`Annˋa` (`telegram:2`) wants to run:');
});
