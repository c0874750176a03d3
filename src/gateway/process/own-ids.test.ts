import { describe, expect, it } from 'vitest';
import { newId } from '../../base/ids.ts';
import { createRedactor } from '../../base/redact/redactor.ts';
import { redactExceptOwnIds } from './own-ids.ts';

const secret = 'abcdefghjkmnpqrs';
const { redact } = createRedactor({ secrets: [secret], shapes: 'on' });
const shown = (line: object): string => redactExceptOwnIds(JSON.stringify(line), redact);

describe('a line of the log', () => {
  it.each(['session', 'run', 'event', 'sandbox', 'process', 'holder', 'id'])(
    'keeps the id of its %s',
    field => {
      for (let count = 0; count < 100; count++) {
        const line = { level: 'info', [field]: newId(), msg: 'done' };
        expect(shown(line)).toBe(JSON.stringify(line));
      }
    },
  );

  it('hides what is no id in such a field, and a known secret of the form of one', () => {
    expect(shown({ session: 'J8x2kQ9vLmN4pR7tYw3z' })).not.toContain('J8x2kQ9');
    expect(shown({ session: secret, run: newId() })).not.toContain(secret);
  });

  it('hides what a text says behind such a name', () => {
    const text = `{"session":"k3v9k3v9abcdwxyz"} password=hunter2hunter2 {"@kept0":0}`;
    const run = newId();
    const line = shown({ run, msg: text });
    expect(JSON.parse(line)).toMatchObject({ run });
    expect(line).not.toContain('hunter2hunter2');
    expect(line).not.toContain('k3v9k3v9abcdwxyz');
  });
});
