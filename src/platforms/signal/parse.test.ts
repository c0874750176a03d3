import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/property.ts';
import { identityOf } from './address.ts';
import { parseReceived, readReceived } from './parse.ts';

const ADA = 'a0a0a0a0-0000-4000-8000-000000000001';
const account = { number: '+4915100000001', uuid: '0f0f0f0f-0000-4000-8000-00000000000f' };
const options = { account, groups: new Set(['Z3JvdXA=']), senderId: ADA, isOurs: () => false };

const parse = (message: object, envelope: object = {}) => {
  const received = readReceived({
    envelope: {
      sourceUuid: ADA,
      sourceName: 'Ada',
      dataMessage: { timestamp: 5, message: null, ...message },
      ...envelope,
    },
  });
  return received && parseReceived(received, options);
};
const group = { groupInfo: { groupId: 'Z3JvdXA=', type: 'DELIVER' } };
const mention = (start: number, who: object) => ({ start, length: 1, number: null, uuid: null, ...who });

describe('a message', () => {
  it('has the id of the sender and its timestamp, and what was said', () => {
    expect(parse({ message: 'hello' })).toEqual({
      kind: 'message',
      id: `${ADA}:5`,
      chat: { id: ADA, kind: 'private' },
      sender: { id: ADA, name: 'Ada' },
      text: 'hello',
      files: [],
      isAddressed: true,
    });
  });

  it.each([
    ['nobody in particular', { sourceName: null }, ADA],
    ['spaces', { sourceName: '  ' }, ADA],
    ['nobody with a number', { sourceName: '', sourceNumber: '+4915100000042' }, '+4915100000042'],
  ])('of %s is called by what is known', (_, envelope, name) => {
    expect(parse({ message: 'x' }, envelope)?.sender.name).toBe(name);
  });

  it('reads mentions in words, and leaves out ours at the beginning', () => {
    const own = mention(0, { uuid: account.uuid.toUpperCase() });
    const text = (message: string, ...mentions: object[]) => {
      const parsed = parse({ message, mentions, ...group });
      return parsed?.kind === 'message' ? [parsed.text, parsed.isAddressed] : undefined;
    };
    expect(text('\uFFFC, what is new?', own)).toEqual(['what is new?', true]);
    expect(text('ask \uFFFC or \uFFFC', mention(4, { number: '+49' }), mention(9, account))).toEqual([
      'ask @+49 or @you',
      true,
    ]);
    expect(text('short', mention(90, account))).toEqual(['short', true]);
    expect(text('nobody is meant')).toEqual(['nobody is meant', false]);
  });

  it('has the name and number of a contact that is passed on', () => {
    const contacts = [{ name: { display: null, given: 'Bob', family: 'B' }, phone: [{ value: '+491' }] }];
    expect(parse({ contacts })).toMatchObject({ text: 'Contact: Bob B, +491' });
  });

  it('has files that can be fetched from where it stands', () => {
    const attachments = [
      { id: 'abc.jpg', contentType: 'image/jpeg', filename: null, size: 9 },
      { id: 'd', filename: 'a.txt', size: null },
      { id: null, filename: 'never fetched' },
    ];
    expect(parse({ attachments })).toMatchObject({
      files: [
        { name: 'image-5-1.jpg', size: 9, ref: { id: 'abc.jpg', recipient: ADA } },
        { name: 'a.txt', ref: { id: 'd', recipient: ADA } },
      ],
    });
    expect(parse({ attachments, ...group })).toMatchObject({ files: [{ ref: { groupId: 'Z3JvdXA=' } }, {}] });
  });

  it.each([
    ['of ourselves', { message: 'x' }, { sourceUuid: account.uuid }],
    ['of a group that is not listed', { message: 'x', groupInfo: { groupId: 'b3RoZXI=' } }, {}],
    ['to a story', { message: 'x', storyContext: {} }, {}],
    ['without a time', { message: 'x', timestamp: 0 }, {}],
    ['that says nothing', {}, {}],
  ])('%s is none', (_, message, envelope) => {
    expect(parse(message, envelope)).toBeUndefined();
  });

  it('is never made of anything else', () => {
    fc.assert(fc.property(fc.anything(), data => readReceived(data) === undefined || true));
    for (const data of [null, 5, 'x', [], {}, { envelope: null }, { envelope: { dataMessage: [] } }]) {
      const received = readReceived(data);
      expect(received && parseReceived(received, options)).toBeUndefined();
    }
  });
});

describe('identityOf', () => {
  it.each([
    ['+49 151 1234-5678', '+4915112345678'],
    [' +49(151)12345678 ', '+4915112345678'],
    [ADA.toUpperCase(), ADA],
    ['signal:+49 15112345678', 'signal:+4915112345678'],
    ['4915112345678', undefined],
    ['0151 12345678', undefined],
    [`${ADA}@evil.example`, undefined],
    ['Ada', undefined],
    ['', undefined],
  ])('%j means %j', (written, id) => {
    expect(identityOf(written)).toBe(id);
  });
});
