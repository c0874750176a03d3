// The column of the web platform: a real WebSocket for each person, let in by a link.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load.ts';
import type { Connection, Platform } from '../../../src/platforms/platform.ts';
import { createPlatform } from '../../../src/platforms/web/index.ts';
import { section } from '../../../src/platforms/web/settings.ts';
import { type WebFrame, type WebPerson, webPerson } from '../../doubles/web-person.ts';
import type { Column, Peer, Place } from '../column.ts';
import { Board } from './board.ts';

const MIB = 1024 * 1024;

export const column: Column = {
  name: 'web',
  capabilities: {
    maxText: 32_768,
    edits: true,
    editEveryMs: 100,
    buttons: true,
    maxButtonData: 256,
    typing: true,
    groups: false,
    threads: false,
    maxFileIn: 50 * MIB,
    maxFileOut: 50 * MIB,
    isPublic: false,
  },
  powers: ['otherSays', 'repeatLast', 'press', 'whenNotice', 'whenTyping', 'whenMenu', 'push'],
  async open() {
    const home = await mkdtemp(join(tmpdir(), 'web-'));
    const environment = { HERMES_HOME: home };
    const flags = Object.fromEntries(
      Object.entries({ 'web.enabled': 'true', 'web.port': '0' }).map(([key, text]) => [
        key,
        { flag: key, text },
      ]),
    );
    const config = await loadConfig({ sections: [section], environment, flags });
    const connected = Promise.withResolvers<Connection>();
    const visitors = new Visitors(connected.promise);
    return {
      create(context) {
        const platform = createPlatform(config, { ...context, home });
        if (!platform) throw new Error('it is set up, and there is none');
        return withConnection(platform, connected.resolve);
      },
      secrets: [],
      peer: peerOf(visitors),
      async close() {
        await visitors.close();
        await rm(home, { recursive: true });
      },
    };
  },
};

/** The other side has to know the connection: links are made by it. */
function withConnection(platform: Platform, onConnected: (connection: Connection) => void): Platform {
  return {
    ...platform,
    async connect(options) {
      const connection = await platform.connect(options);
      onConnected(connection);
      return connection;
    },
  };
}

/** People come in when they first do something. */
class Visitors {
  readonly board = new Board();
  readonly #connection: Promise<Connection>;
  readonly #people = new Map<string, Promise<WebPerson>>();

  constructor(connection: Promise<Connection>) {
    this.#connection = connection;
  }

  enter(name: string, place: Place): Promise<WebPerson> {
    const entering = this.#people.get(name) ?? this.#enter(name, place);
    this.#people.set(name, entering);
    return entering;
  }

  async close(): Promise<void> {
    for (const person of this.#people.values()) (await person).leave();
  }

  async #enter(name: string, place: Place): Promise<WebPerson> {
    const { link } = (await (await this.#connection).invite?.(name)) ?? { link: '' };
    const person = await webPerson(link);
    await person.open({ onFrame: frame => void show(frame, { board: this.board, place, person }) });
    return person;
  }
}

interface Shown {
  readonly board: Board;
  readonly place: Place;
  readonly person: WebPerson;
}

async function show(frame: WebFrame, { board, place, person }: Shown): Promise<void> {
  const { type, id = '', text = '', buttons = [], append = '', files: [file] = [], commands = [] } = frame;
  const bytes = file && { file: { name: file.name, bytes: await person.download(file.id) } };
  const announce = (): void => {
    for (const { name } of commands) board.sign(`menu ${name}`);
  };
  const frames: Record<string, () => void> = {
    message: () => {
      if (frame.from === 'agent') board.add(place, { id, text, buttons: buttons.flat(), ...bytes });
    },
    delta: () => board.change(place, id, before => ({ text: before.text + append })),
    edit: () => board.change(place, id, () => ({ text, buttons: buttons.flat() })),
    'button-answer': () => board.sign(`notice ${text}`),
    typing: () => board.sign(`typing ${place}`),
    welcome: announce,
    commands: announce,
  };
  frames[type]?.();
}

function peerOf(visitors: Visitors): Peer {
  const { board } = visitors;
  const ada = () => visitors.enter('ada', 'private');
  let last: object = {};
  let count = 0;
  const say = async (person: WebPerson, words: object): Promise<void> => {
    last = { type: 'message', id: `m${++count}`, ...words };
    person.send(last);
  };
  return {
    async say({ text, file }) {
      const person = await ada();
      const files = file ? [(await person.upload(file.name, file.bytes)).id] : [];
      await say(person, { text, files });
    },
    seen: place => board.seen(place),
    whenSeen: (holds, place) => board.whenSeen(holds, place),
    otherSays: async text => say(await visitors.enter('bob', 'other'), { text }),
    repeatLast: async () => (await ada()).send(last),
    press: async ({ id }, data) =>
      (await ada()).send({ type: 'button', id: `b${++count}`, messageId: id, data }),
    whenNotice: text => board.whenSign(`notice ${text}`),
    whenTyping: place => board.whenSign(`typing ${place}`),
    async whenMenu(command) {
      await ada();
      await board.whenSign(`menu ${command}`);
    },
    async push(payload) {
      (await ada()).send(payload);
    },
  };
}
