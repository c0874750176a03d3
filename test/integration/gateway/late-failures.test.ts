// Messages that a platform accepts and reports as undelivered only later.
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { createPlatform } from '../../../src/platforms/whatsapp/index.ts';
import { section } from '../../../src/platforms/whatsapp/settings.ts';
import { startWhatsApp } from '../../doubles/whatsapp-server.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { environmentOf } from '../platforms/whatsapp-line.ts';
import { hermesAt } from '../sessions/hermes.ts';
import { answered, type House, OWNER, USER } from './house.ts';
import { MemoryPlatform } from './memory-platform.ts';
import { useHouses } from './use-houses.ts';

const houses = useHouses();

const ADA = { phone: '491701234567', name: 'Ada' };
const CLOSED = 'More than 24 hours have passed.';

/** Somebody asks and gets an answer; its id. */
async function answeredIn({ platform, gateway }: House, chat: string, text: string): Promise<string> {
  await platform.say(chat, text);
  await platform.shows(chat, `echo ${text}`);
  await gateway.drained();
  return platform.chat(chat).at(-1)?.id ?? '';
}

const failedIn = ({ ground }: House) => ground.world.store.outbox.undelivered({ since: 0 });
const notices = (platform: MemoryPlatform, chat: string): readonly string[] =>
  platform.texts(chat).filter(text => text.includes('was not delivered'));

it('marks the message as failed with the reason, records it, and informs the owner in their chat', async () => {
  const house = await houses.open();
  const id = await answeredIn(house, USER, 'one');
  await house.platform.undelivered(id, CLOSED);
  await house.platform.shows(OWNER, `A message to a chat on telegram was not delivered: ${CLOSED}`);
  expect(await failedIn(house)).toMatchObject([{ state: 'failed', chat: USER, problem: CLOSED }]);
  expect(notices(house.platform, USER)).toEqual([]);
  const audit = await house.ground.world.store.audit.list({ limit: 100 });
  expect(audit.filter(({ action }) => action === 'delivery')).toMatchObject([
    { actor: 'gateway', subject: `telegram:${USER}`, outcome: 'failed', details: { problem: CLOSED } },
  ]);
});

it('informs the owner once for each chat and cause, however often it is reported', async () => {
  const house = await houses.open();
  const ids = [await answeredIn(house, USER, 'one'), await answeredIn(house, USER, 'two')];
  const reports = [...ids, ...ids].map(id => house.platform.undelivered(id, CLOSED));
  await Promise.all(reports);
  await house.platform.undelivered(await answeredIn(house, USER, 'three'), 'Blocked.');
  await house.platform.undelivered(await answeredIn(house, '3', 'four'), CLOSED);
  await house.gateway.drained();
  expect(notices(house.platform, OWNER).map(text => text.split(': ')[1])).toEqual([
    CLOSED,
    'Blocked.',
    CLOSED,
  ]);
  expect(await failedIn(house)).toHaveLength(4);
});

it('keeps a report that comes before its message is known to be sent', async () => {
  const platform = new MemoryPlatform();
  const house = await houses.open({ platform });
  let report: Promise<void> | undefined;
  platform.trouble = (call, chat) => {
    // The service reports the failure of the message that is just being sent: its number is the next one.
    if (call === 'send' && chat === USER) report ??= platform.undelivered(platform.nextId, CLOSED);
  };
  await platform.say(USER, 'one');
  await platform.shows(OWNER, CLOSED);
  await report;
  expect(await failedIn(house)).toMatchObject([{ chat: USER, problem: CLOSED }]);
});

it('finds the message after a restart', async () => {
  const first = await houses.open();
  const id = await answeredIn(first, USER, 'one');
  await first.crash();
  const second = await houses.open({ home: first.home });
  await second.platform.undelivered(id, CLOSED);
  await second.platform.shows(OWNER, CLOSED);
  expect(await failedIn(second)).toMatchObject([{ chat: USER, problem: CLOSED }]);
});

it('ignores ids of other platforms and of messages it does not know', async () => {
  const other = new MemoryPlatform('discord');
  const house = await houses.open({ others: [other] });
  const id = await answeredIn(house, USER, 'one');
  await house.platform.undelivered('unknown', CLOSED);
  await other.undelivered(id, CLOSED);
  await house.gateway.drained();
  expect(await failedIn(house)).toEqual([]);
  expect(notices(house.platform, OWNER)).toEqual([]);
});

it('announces no notice that fails itself', async () => {
  const house = await houses.open();
  await house.platform.undelivered(await answeredIn(house, USER, 'one'), CLOSED);
  await house.platform.shows(OWNER, CLOSED);
  await house.gateway.drained();
  const notice = house.platform.chat(OWNER).find(({ text }) => text.includes(CLOSED));
  await house.platform.undelivered(notice?.id ?? '', 'Blocked.');
  await house.gateway.drained();
  expect(await failedIn(house)).toHaveLength(2);
  expect(notices(house.platform, OWNER)).toHaveLength(1);
});

it('learns from WhatsApp that an answer came after the 24 hours of its window, and shows it in the status', async () => {
  const clock = manualClock(Date.now());
  const whatsapp = await startWhatsApp({ clock });
  onTestFinished(() => whatsapp.close());
  const platform = new MemoryPlatform();
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const environment = { ...environmentOf(whatsapp), WHATSAPP_ALLOWED_USERS: ADA.phone };
  const house = await houses.open({
    ...{ platform, environment },
    platforms: async context => {
      const config = await loadConfig({ sections: [section], environment, flags: {} });
      const other = createPlatform(config, context);
      return other ? [platform, other] : [platform];
    },
    async *script({ text }) {
      asked.resolve();
      await late.promise;
      yield answered(`echo ${text}`);
    },
  });
  const { account = '' } = house.gateway.status().platforms.find(({ name }) => name === 'whatsapp') ?? {};
  whatsapp.webhooks.send(/http:\S+/.exec(account)?.[0]);
  whatsapp.say(ADA, 'a long task');
  await asked.promise;
  clock.advance(24 * 3_600_000 + 1);
  late.resolve();
  await platform.shows(
    OWNER,
    'A message to a chat on whatsapp was not delivered: WhatsApp refuses a message',
  );
  expect(whatsapp.sent).toEqual([]);
  expect(await failedIn(house)).toMatchObject([{ platform: 'whatsapp', chat: ADA.phone, state: 'failed' }]);
  const status = await hermesAt(house.home).text('status');
  expect(status.replaceAll(/\s+/g, ' ')).toContain('undelivered 1 message in the last 24 hours');
});
