import { expect, it } from 'vitest';
import { answerBodies } from './answer-bodies.ts';

const redact = (text: string): string => text.replaceAll('s3cret', '[redacted:known]');
const capabilities = { maxText: 100, maxFileOut: 10_000 };

it('P7: hides a secret before the text is cut in the middle of it', () => {
  const text = `${'a'.repeat(97)}s3cret ${'b'.repeat(90)}`;
  const bodies = answerBodies(text, { capabilities, live: 7, redact });
  expect(bodies.map(({ kind }) => kind)).toEqual(['edit', 'text']);
  expect(JSON.stringify(bodies)).not.toMatch(/s3|cret/);
});

it('P7: hides a secret in the file that a very long answer becomes', () => {
  const text = `${'a'.repeat(500)} s3cret`;
  const [, file] = answerBodies(text, { capabilities, live: undefined, redact });
  expect(file).toMatchObject({ kind: 'file', name: 'answer.md' });
  const bytes = file?.kind === 'file' ? Buffer.from(file.bytes).toString() : '';
  expect(bytes).toBe(`${'a'.repeat(500)} [redacted:known]`);
});
