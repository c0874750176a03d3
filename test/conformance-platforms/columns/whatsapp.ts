// The column of the whatsapp platform: our double of the Cloud API, which brings signed webhooks to the real server.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/whatsapp/index.ts';
import { section } from '../../../src/platforms/whatsapp/settings.ts';
import type { Person } from '../../doubles/whatsapp-business.ts';
import { startWhatsApp, type WhatsAppDouble } from '../../doubles/whatsapp-server.ts';
import { changeOf } from '../../doubles/whatsapp-webhooks.ts';
import type { Column, Ground, Peer, Place, Seen } from '../column.ts';

const MIB = 1024 * 1024;
const PERSON: Person = { phone: '491701234567', userId: 'DE.13491208655302741918', name: 'Ada' };
const OTHER: Person = { phone: '447700900123', name: 'Bob' };
const GROUP = 'Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD';
const CHATS: Readonly<Record<Place, string | undefined>> = {
  private: PERSON.phone,
  other: OTHER.phone,
  group: GROUP,
  thread: undefined,
};
const SENDING = ['messages', 'media'];

export const column: Column = {
  name: 'whatsapp',
  capabilities: {
    maxText: 4096,
    edits: false,
    editEveryMs: 0,
    buttons: true,
    maxButtonData: 200,
    typing: true,
    groups: true,
    threads: false,
    maxFileIn: 100 * MIB,
    maxFileOut: 100 * MIB,
    isPublic: true,
  },
  powers: [
    'otherSays',
    'sayAs',
    'editLast',
    'repeatLast',
    'press',
    'whenNotice',
    'whenTyping',
    'whenMenu',
    'fetched',
    'unacknowledged',
    'limitOnce',
    'failOnce',
    'blockOnce',
    'cut',
    'restore',
    'revoke',
    'push',
  ],
  async open(): Promise<Ground> {
    const whatsapp = await startWhatsApp();
    // Checks that send first have had an answer before: nothing reaches people who never wrote.
    whatsapp.business.people.heard(PERSON.phone, OTHER.phone, GROUP);
    const port = await freePort();
    const variables = {
      WHATSAPP_ACCESS_TOKEN: whatsapp.token,
      WHATSAPP_PHONE_NUMBER_ID: whatsapp.phoneNumberId,
      WHATSAPP_APP_SECRET: whatsapp.appSecret,
      WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
      WHATSAPP_API_ROOT: whatsapp.apiRoot,
      WHATSAPP_ALLOWED_GROUPS: GROUP,
    };
    // A gateway in a process of its own is where it says; what is made here says where it is.
    whatsapp.webhooks.send(`http://127.0.0.1:${port}/whatsapp/webhook`);
    const environment = { HERMES_HOME: '/nonexistent', ...variables, WHATSAPP_PORT: '0' };
    const config = await loadConfig({ sections: [section], environment, flags: {} });
    return {
      create(context) {
        const platform = createPlatform(config, context);
        if (!platform) throw new Error('it is set up, and there is none');
        return broughtTo(platform, whatsapp);
      },
      secrets: [whatsapp.token, whatsapp.appSecret, whatsapp.verifyToken],
      peer: peerOf(whatsapp),
      environment: { ...variables, WHATSAPP_PORT: String(port) },
      close: () => whatsapp.close(),
    };
  },
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Webhooks go to whoever connected last; that has ended only when the other side has read its answers. */
function broughtTo(platform: Platform, { webhooks }: WhatsAppDouble): Platform {
  return {
    ...platform,
    async connect(options): Promise<Connection> {
      const connection = await platform.connect(options);
      webhooks.send(/http:\S+/.exec(connection.account)?.[0]);
      return {
        ...connection,
        async pause() {
          await connection.pause();
          await webhooks.settled();
        },
      };
    },
  };
}

function peerOf(whatsapp: WhatsAppDouble): Peer {
  const seen = (place: Place = 'private'): readonly Seen[] =>
    whatsapp.sent.filter(({ chat }) => chat === CHATS[place]);
  const failNext = (fault: Parameters<WhatsAppDouble['fault']>[1]): void => whatsapp.fault(SENDING, fault);
  const metadata = { display_phone_number: whatsapp.number, phone_number_id: whatsapp.phoneNumberId };
  let last = '';
  return {
    async say({ text, place = 'private', file, isForBot }) {
      const group = place === 'group' ? { group: GROUP } : {};
      const words = place === 'group' && isForBot !== 'no' ? `@${whatsapp.number} ${text}` : text;
      last = whatsapp.say(PERSON, words, { ...group, ...(file ? { file } : {}) });
    },
    seen,
    whenSeen: async (holds, place) => {
      await whatsapp.whenSent(() => seen(place).some(holds));
      // It was there a moment ago, and nothing is ever taken away.
      return seen(place).find(holds) as Seen;
    },
    otherSays: async text => void whatsapp.say(OTHER, text),
    async sayAs(who, text) {
      if (who === 'itself') {
        whatsapp.say({ phone: whatsapp.number, name: 'Hermes' }, text);
        return;
      }
      // There are no bots; what comes nearest is another program of the same number.
      const echo = {
        from: whatsapp.number,
        to: PERSON.phone,
        id: 'wamid.echo',
        type: 'text',
        text: { body: text },
      };
      whatsapp.webhooks.push(
        changeOf('smb_message_echoes', { messaging_product: 'whatsapp', metadata, message_echoes: [echo] }),
      );
    },
    async editLast(text) {
      const edit = { original_message_id: last, message: { type: 'text', text: { body: text } } };
      whatsapp.say(PERSON, '', { message: { type: 'edit', edit, text: undefined } });
    },
    repeatLast: async () => whatsapp.webhooks.repeatLast(),
    press: async (message, data) => void whatsapp.press(PERSON, message.id, data),
    whenNotice: async text => {
      await whatsapp.whenSent(message => message.text === text && message.replyTo !== undefined);
    },
    whenTyping: async () => {
      await whatsapp.whenCalled('messages', ({ params }) => params['typing_indicator'] !== undefined);
    },
    whenMenu: async command => {
      await whatsapp.whenCalled('conversational_automation', ({ params }) =>
        JSON.stringify(params).includes(`"${command}"`),
      );
    },
    fetched: () => whatsapp.calls.filter(({ name }) => ['media-url', 'file'].includes(name)).length,
    unacknowledged: () => whatsapp.webhooks.waiting,
    limitOnce: seconds => failNext({ retryAfterSeconds: seconds }),
    failOnce: () => failNext('server-error'),
    blockOnce: () => failNext('blocked'),
    cut: () => whatsapp.cut(),
    restore: () => whatsapp.restore(),
    revoke: () => whatsapp.fault('*', 'bad-token', { times: Number.POSITIVE_INFINITY }),
    push: payload => whatsapp.webhooks.push(payload),
  };
}
