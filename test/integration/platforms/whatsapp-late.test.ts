// What WhatsApp says after it has accepted a message: statuses in every flow, failures of people who have not written for 24
// hours, who cannot be reached, and of files. And: whatever fails at random, nothing is lost or doubled without notice.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHermesError } from '../../../src/base/errors.ts';
import type { Chat } from '../../../src/platforms/platform.ts';
import type { Fault } from '../../doubles/whatsapp-faults.ts';
import { startWhatsApp, type WhatsAppDouble } from '../../doubles/whatsapp-server.ts';
import { MEDIA_ERROR, UNDELIVERABLE } from '../../doubles/whatsapp-statuses.ts';
import { type ManualClock, manualClock } from '../../fixtures/manual-clock.ts';
import { useDraws } from '../../seed.ts';
import { connectWhatsApp, type LineOptions, type WhatsAppLine } from './whatsapp-line.ts';

const ADA = { phone: '491701234567', name: 'Ada' };
const chat: Chat = { id: ADA.phone, kind: 'private' };
const DAY_MS = 24 * 3_600_000;
const template = { WHATSAPP_TEMPLATE_NAME: 'hermes_says', WHATSAPP_TEMPLATE_LANGUAGE: 'de' };
const pdf = { name: 'a.pdf', bytes: Buffer.from('x') };

let clock: ManualClock;
let whatsapp: WhatsAppDouble;
let line: WhatsAppLine;

async function reconnect(options: LineOptions): Promise<void> {
  await line.connection.close();
  line = await connectWhatsApp(whatsapp, options);
}

const send = async (text: string): Promise<string> =>
  (await line.connection.send(chat, { text })).ids[0] ?? '';
const sendPdf = async (): Promise<string> => (await line.connection.sendFile(chat, pdf)).ids[0] ?? '';
const report = () => line.when(() => line.undelivered[0], 'a report of failed delivery');
/** Resolves when everything that the double had to say was answered with 200. */
const settled = async (): Promise<void> => {
  whatsapp.say(ADA, 'are you done?');
  await line.event(event => event.kind === 'message' && event.text === 'are you done?');
};

beforeEach(async () => {
  clock = manualClock(Date.now());
  whatsapp = await startWhatsApp({ clock });
  line = await connectWhatsApp(whatsapp);
  whatsapp.business.people.heard(ADA.phone);
});
afterEach(async () => {
  await line.connection.close();
  await whatsapp.close();
});

it('statuses of what arrives are nothing, twice and in any order', async () => {
  await send('hello');
  await settled();
  expect(whatsapp.sent).toHaveLength(1);
  expect(line.events).toHaveLength(1);
  expect([line.undelivered, line.log.filter(each => !each.includes('"level":"debug"'))]).toEqual([[], []]);
});

describe('after 24 hours', () => {
  it('a message is accepted, and reported as undelivered with the reason and what to do', async () => {
    clock.advance(DAY_MS);
    await send('in time');
    clock.advance(1);
    const messageId = await send('too late');
    const { problem, ...rest } = await report();
    expect(rest).toEqual({ messageId });
    expect(problem).toMatch(/24 hours.*They have to write first.*whatsapp\.template_name/);
    expect([whatsapp.sent, whatsapp.business.lost].map(all => all.map(({ text }) => text))).toEqual([
      ['in time'],
      ['too late'],
    ]);
  });

  it('the window opens again when the person writes', async () => {
    clock.advance(DAY_MS + 1);
    await settled();
    await send('back');
    await settled();
    expect(whatsapp.sent).toMatchObject([{ text: 'back' }]);
    expect(line.undelivered).toEqual([]);
  });

  it('a template carries the text, on one line, once, and nothing is reported', async () => {
    await reconnect({ environment: template });
    clock.advance(DAY_MS + 1);
    await send('The build\nis **green**.');
    await whatsapp.whenSent(message => message.template !== undefined);
    await settled();
    expect(whatsapp.sent).toMatchObject([
      { text: 'The build ⏎ is green.', template: { name: 'hermes_says', language: 'de' } },
    ]);
    expect(line.undelivered).toEqual([]);
  });

  it('a template that fails too is reported for the message that it carried', async () => {
    await reconnect({ environment: template });
    clock.advance(DAY_MS + 1);
    const messageId = await send('The build is green.');
    const { id } = await whatsapp.whenSent(message => message.template !== undefined);
    const failed = { id, status: 'failed', errors: [{ code: 131049, title: 'Not delivered' }] };
    whatsapp.webhooks.push(whatsapp.business.statusPayload([failed]));
    expect(await report()).toEqual({ messageId, problem: expect.stringContaining('limits how many') });
  });

  it('a template that took only the beginning is reported, and no second one follows at once', async () => {
    await reconnect({ environment: template });
    clock.advance(DAY_MS + 1);
    await send('word '.repeat(400));
    expect((await report()).problem).toContain('the rest was not sent');
    const messageId = await send('more');
    await line.when(() => line.undelivered.find(each => each.messageId === messageId), 'the second report');
    expect(whatsapp.sent).toMatchObject([{ template: { name: 'hermes_says' } }]);
  });

  it('a file is announced by a template, and reported', async () => {
    await reconnect({ environment: template });
    clock.advance(DAY_MS + 1);
    const messageId = await sendPdf();
    expect(await report()).toEqual({ messageId, problem: expect.stringMatching(/in place of a\.pdf/) });
    expect(whatsapp.sent).toMatchObject([{ text: 'a.pdf', template: { name: 'hermes_says' } }]);
  });

  it('a call that is refused at once explains it, and a template carries it as well', async () => {
    whatsapp.fault('messages', 'window-closed');
    await expect(send('x')).rejects.toMatchObject({
      code: 'USAGE_NOT_DELIVERED',
      details: { code: 131047 },
      message: expect.stringContaining('24 hours'),
    });
    await reconnect({ environment: template });
    whatsapp.fault('messages', 'window-closed');
    const id = await send('The build is green.');
    expect(whatsapp.sent).toMatchObject([{ id, text: 'The build is green.', template: {} }]);
  });
});

it.each([
  [UNDELIVERABLE, 'blocked'],
  [MEDIA_ERROR, 'another format'],
])('reports %j of an accepted file, with what to do', async (refusal, hint) => {
  whatsapp.business.people.refuse(ADA.phone, refusal);
  const messageId = await sendPdf();
  expect(await report()).toEqual({ messageId, problem: expect.stringContaining(hint) });
});

it('waits for the id of a message whose failure is reported before the call has ended', async () => {
  await reconnect({ environment: template });
  const answer = whatsapp.holdAnswer();
  const sending = send('The build is green.');
  const id = await answer.accepted;
  const failed = { id, status: 'failed', errors: [{ code: 131047, title: 'Re-engagement message' }] };
  const said = { from: '447700900123', id: 'wamid.said', type: 'text', text: { body: 'same webhook' } };
  whatsapp.webhooks.push(whatsapp.business.statusPayload([failed], [said]));
  // Both are dealt with at the same time.
  await line.event(({ id: each }) => each === said.id);
  answer.release();
  await sending;
  await whatsapp.whenSent(message => message.template !== undefined);
});

it('whatever fails at random: a text arrives once, or its sending says that it may have', async () => {
  const draws = useDraws();
  const faults: readonly Fault[] = ['drop', 'drop-after', 'bad-gateway', 'page', 'server-error', 'blocked'];
  whatsapp.faultAtRandom({
    ...{ names: ['messages'], faults, share: 0.5 },
    random: () => draws.below(2 ** 30) / 2 ** 30,
  });
  for (let at = 0; at < 60; at++) {
    const text = `text ${at}`;
    const error = await send(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const copies = whatsapp.sent.filter(each => each.text === text).length;
    if (error === undefined) expect([text, copies]).toEqual([text, 1]);
    else if (!isHermesError(error)) throw error;
    else if (copies > 0) expect([text, error.details['mayBeDelivered'], copies]).toEqual([text, true, 1]);
  }
});
