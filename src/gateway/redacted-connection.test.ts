import { expect, it } from 'vitest';
import type { Connection } from '../platforms/platform.ts';
import { redactedConnection } from './redacted-connection.ts';

const redact = (text: string): string => text.replaceAll('s3cret', '[redacted:known]');
const CHAT = { id: '1', kind: 'private' } as const;

/** Writes down what it is given; with everything that a platform may have. */
class Recorded implements Connection {
  readonly account = 'connected as @bot';
  readonly given: unknown[] = [];
  send = async (...given: unknown[]) => this.#take(given);
  sendFile = async (...given: unknown[]) => this.#take(given);
  async edit(...given: unknown[]) {
    this.#take(given);
  }
  async typing(...given: unknown[]) {
    this.#take(given);
  }
  async answerButton(...given: unknown[]) {
    this.#take(given);
  }
  async announce(...given: unknown[]) {
    this.#take(given);
  }
  async invite(person: string) {
    this.#take([person]);
    return { link: 'http://127.0.0.1/s3cret', expiresAt: 1 };
  }
  fetchFile = async () => new Uint8Array([1]);
  pause = async () => {};
  close = async () => {};
  #take(given: unknown[]) {
    this.given.push(given);
    return { ids: ['m1'] };
  }
}

it('P7: hides secrets in everything that a chat shows', async () => {
  const inner = new Recorded();
  const outer = redactedConnection(inner, redact);
  const bytes = Buffer.from('s3cret');
  const buttons = [[{ label: 'use s3cret', data: 'q:s3cret' }]];
  const hidden = [[{ label: 'use [redacted:known]', data: 'q:s3cret' }]];
  await outer.send(CHAT, { text: 'a s3cret', buttons, mark: '(repeated)' });
  await outer.edit?.(CHAT, 'm1', { text: 'b s3cret' });
  await outer.answerButton?.('p1', 'c s3cret');
  await outer.sendFile(CHAT, { name: 's3cret.txt', bytes, caption: 'd s3cret' });
  expect(inner.given).toEqual([
    [CHAT, { text: 'a [redacted:known]', buttons: hidden, mark: '(repeated)' }],
    [CHAT, 'm1', { text: 'b [redacted:known]' }],
    ['p1', 'c [redacted:known]'],
    [CHAT, { name: 'redacted-known.txt', bytes, caption: 'd [redacted:known]' }],
  ]);
});

it('passes everything else on as it is, and has no more than the platform has', async () => {
  const inner = new Recorded();
  const outer = redactedConnection(inner, redact);
  expect(outer.account).toBe('connected as @bot');
  expect(await outer.fetchFile('ref')).toEqual(new Uint8Array([1]));
  expect(await outer.invite?.('anna')).toEqual({ link: 'http://127.0.0.1/s3cret', expiresAt: 1 });
  await outer.typing?.(CHAT);
  await outer.announce?.([{ name: 'stop', doc: 'Stops.' }]);
  expect(inner.given).toEqual([['anna'], [CHAT], [[{ name: 'stop', doc: 'Stops.' }]]]);
  const { send, sendFile, fetchFile, pause, close, account } = inner;
  const bare = redactedConnection({ send, sendFile, fetchFile, pause, close, account }, redact);
  expect(Object.keys(bare).toSorted()).toEqual([
    'account',
    'close',
    'fetchFile',
    'pause',
    'send',
    'sendFile',
  ]);
});
