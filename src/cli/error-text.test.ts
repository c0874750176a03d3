import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import { HermesError } from '../base/errors.ts';
import { errorText } from './error-text.ts';

const options = {
  ...{ json: false, isShown: false, look: { colors: picocolors.createColors(false), columns: 80 } },
  redact: (text: string): string => text.replaceAll('s3cret', '[redacted:known]'),
};

it('P7: hides secrets in the message, in the stack of a bug, and in JSON', () => {
  const error = new HermesError('BUG_UNEXPECTED', 'It said s3cret.', { cause: new Error('deep s3cret') });
  const text = errorText(error, options);
  expect(text).toMatch(
    /^error BUG_UNEXPECTED: It said \[redacted:known\]\.\nError: deep \[redacted:known\]\n {4}at /,
  );
  expect(text).not.toContain('s3cret');
  const json = JSON.parse(errorText(error, { ...options, json: true }));
  expect(json).toMatchObject({ error: { message: 'It said [redacted:known].' } });
});
