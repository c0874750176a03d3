// All five messengers with a crowd on each: their doubles, how people write there, and what stands in their chats.
import { type DiscordDouble, startDiscord } from '../../doubles/discord-server.ts';
import { startSignal } from '../../doubles/signal-server.ts';
import { directOf } from '../../doubles/slack-payloads.ts';
import { SlackDouble } from '../../doubles/slack-server.ts';
import { startTelegram } from '../../doubles/telegram-server.ts';
import { startWhatsApp } from '../../doubles/whatsapp-server.ts';
import { freePort } from '../../services/free-port.ts';

export interface Messenger {
  readonly name: string;
  /** With which a gateway reaches it, and lets the people in. */
  readonly environment: Readonly<Record<string, string>>;
  /** The same with an account that does not work. */
  readonly broken: Readonly<Record<string, string>>;
  /** Person number `who` writes in private. */
  say(who: number, text: string): void;
  /** What stands in the chat of person number `who` now. */
  seen(who: number): readonly string[];
  close(): Promise<void>;
}

/** Digits for person number `who`, always as many. */
const digits = (who: number): string => String(4200 + who);
const listOf = (count: number, idOf: (who: number) => string): string =>
  Array.from({ length: count }, (_, who) => idOf(who)).join(',');

async function openTelegram(people: number): Promise<Messenger> {
  const telegram = await startTelegram();
  const environment = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    TELEGRAM_ALLOWED_USERS: listOf(people, digits),
  };
  return {
    ...{ name: 'telegram', environment },
    broken: { ...environment, TELEGRAM_BOT_TOKEN: '1:not-the-token' },
    say: (who, text) => void telegram.say({ id: Number(digits(who)), name: `Person ${who}` }, text),
    seen: who => telegram.sent.filter(({ chat }) => chat === digits(who)).flatMap(({ versions }) => versions),
    close: () => telegram.close(),
  };
}

async function openDiscord(people: number): Promise<Messenger> {
  const discord: DiscordDouble = await startDiscord({ limits: 'enforced' });
  const person = (who: number) => ({ id: `42000000000000${digits(who)}`, name: `Person ${who}` });
  const environment = {
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_ROOT: discord.apiRoot,
    DISCORD_ALLOWED_USERS: listOf(people, who => person(who).id),
  };
  return {
    ...{ name: 'discord', environment },
    broken: { ...environment, DISCORD_BOT_TOKEN: `${discord.token.slice(0, -4)}XXXX` },
    say: (who, text) => void discord.say(person(who), text),
    seen: who => {
      const { id } = discord.world.privateOf(person(who));
      return discord.sent.filter(({ channel }) => channel === id).map(({ text }) => text);
    },
    close: () => discord.close(),
  };
}

async function openSlack(people: number): Promise<Messenger> {
  const slack = await SlackDouble.start();
  const person = (who: number) => ({ id: `U${digits(who)}`, name: `Person ${who}` });
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_ROOT: slack.apiRoot,
    SLACK_ALLOWED_USERS: listOf(people, who => person(who).id),
  };
  return {
    ...{ name: 'slack', environment },
    broken: { ...environment, SLACK_BOT_TOKEN: 'xoxb-not-the-token' },
    say: (who, text) => void slack.say(person(who), text),
    seen: who => {
      const { channel } = directOf(person(who));
      return slack.sent.filter(message => message.channel === channel).map(({ text }) => text);
    },
    close: () => slack.close(),
  };
}

async function openWhatsApp(people: number): Promise<Messenger> {
  const [whatsapp, port] = [await startWhatsApp(), await freePort()];
  whatsapp.webhooks.send(`http://127.0.0.1:${port}/whatsapp/webhook`);
  const phone = (who: number): string => `49170000${digits(who)}`;
  const environment = {
    WHATSAPP_ACCESS_TOKEN: whatsapp.token,
    WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
    WHATSAPP_APP_SECRET: whatsapp.appSecret,
    WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
    WHATSAPP_API_ROOT: whatsapp.apiRoot,
    WHATSAPP_PORT: String(port),
    WHATSAPP_ALLOWED_USERS: listOf(people, phone),
  };
  return {
    ...{ name: 'whatsapp', environment },
    broken: { ...environment, WHATSAPP_ACCESS_TOKEN: 'not-the-token' },
    say: (who, text) => void whatsapp.say({ phone: phone(who), name: `Person ${who}` }, text),
    seen: who => whatsapp.sent.filter(({ chat }) => chat === phone(who)).map(({ text }) => text),
    close: () => whatsapp.close(),
  };
}

async function openSignal(people: number): Promise<Messenger> {
  const signal = await startSignal();
  const person = (who: number) => ({
    uuid: `a0a0a0a0-0000-4000-8000-00000000${digits(who)}`,
    number: `+49151000${digits(who)}`,
    name: `Person ${who}`,
  });
  const environment = {
    SIGNAL_HTTP_URL: signal.url,
    SIGNAL_ACCOUNT: signal.account.number,
    // Half of them by number, half by account id.
    SIGNAL_ALLOWED_USERS: listOf(people, who => (who % 2 === 0 ? person(who).number : person(who).uuid)),
  };
  return {
    ...{ name: 'signal', environment },
    broken: { ...environment, SIGNAL_ACCOUNT: '+4915100000777' },
    say: (who, text) => void signal.say(person(who), text),
    seen: who => signal.sent.filter(({ chat }) => chat === person(who).uuid).map(({ text }) => text),
    close: () => signal.close(),
  };
}

/** With so many people on each. */
export function openMessengers(people: number): Promise<readonly Messenger[]> {
  const open = [openTelegram, openDiscord, openSlack, openWhatsApp, openSignal];
  return Promise.all(open.map(async each => closedOnce(await each(people))));
}

/** One that has gone down is closed already. */
function closedOnce(messenger: Messenger): Messenger {
  let closed: Promise<void> | undefined;
  return {
    ...messenger,
    close() {
      closed ??= messenger.close();
      return closed;
    },
  };
}
