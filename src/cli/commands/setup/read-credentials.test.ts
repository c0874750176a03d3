import { describe, expect, it } from 'vitest';
import type { Connectable } from '../../../platforms/credentials.ts';
import { readCredentials } from './read-credentials.ts';

const credential = (key: string) => ({
  key,
  variable: key.replace('.', '_').toUpperCase(),
  isSecret: true,
  doc: '',
});
const one: Connectable = { name: 'telegram', credentials: [credential('x.token')] };
const two: Connectable = { name: 'telegram', credentials: [credential('x.token'), credential('x.app')] };

describe('credentials on standard input', () => {
  it('stand alone where there is one, also when there is an = in it', () => {
    expect(readCredentials('1:abc\n', one)).toEqual({ 'x.token': '1:abc' });
    expect(readCredentials('YWJj=\n', one)).toEqual({ 'x.token': 'YWJj=' });
    expect(readCredentials('X_TOKEN=1:abc', one)).toEqual({ 'x.token': '1:abc' });
  });

  it('are assigned in a line each where there are more, by variable or key', () => {
    const given = '# from the portal\nX_TOKEN="1:a b"\nx.app=xapp-2\n';
    expect(readCredentials(given, two)).toEqual({ 'x.token': '1:a b', 'x.app': 'xapp-2' });
  });

  it('are none when there is nothing', () => {
    expect(readCredentials(' \n', two)).toEqual({});
  });

  it.each(['xoxb-secret', 'X_TOKE=xoxb-secret', 'X_TOKEN="xoxb-secret'])(
    'are refused, and not repeated: %s',
    text => {
      expect(() => readCredentials(text, two)).toThrow(/Accepted: NAME=VALUE.*X_TOKEN.*X_APP/);
      expect(() => readCredentials(text, two)).not.toThrow(/secret/);
    },
  );
});
