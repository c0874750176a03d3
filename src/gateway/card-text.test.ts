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
