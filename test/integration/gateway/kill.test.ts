// P12: a gateway that is killed at any moment of its conversations. Every message is answered, nothing is answered twice
// without being marked as a repeat, and no tool runs twice (P10).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PlatformEvent } from '../../../src/platforms/platform.ts';
import { type Draws, useDraws } from '../../seed.ts';
import { kills } from '../../soak.ts';
import { within } from '../../wait.ts';
import { newHome } from '../sessions/world.ts';
import type { ToChild, ToParent } from './killed-gateway.ts';

const KILLS = kills(12);
/** A life ends after so many calls to the service at most, and so many milliseconds on top. */
const MOST_CALLS = 12;
const LONGEST_MS = 12;
/** Or during its start. */
const START_MS = 120;
/** What the service takes for a call. */
const LATENCY_MS = 4;
const CHATS = ['2', '3', '4'];
const KINDS = ['plain', 'slow', 'tool', 'tool-late'];
const RESTARTED = 'I was restarted';

/** The chat service, and people who write the next message when the last one is answered. */
class World {
  readonly chats = new Map<string, { id: string; text: string }[]>(CHATS.map(chat => [chat, []]));
  readonly ran = new Map<string, number>();
  readonly said: { chat: string; token: string }[] = [];
  readonly #unacknowledged = new Map<string, PlatformEvent>();
  readonly #answered = new Set<string>();
  #child: ChildProcess | undefined;
  #count = 0;
  #isOver = false;
  #onAnswer: () => void = () => {};
  #calls = 0;
  readonly #draws: Draws;
  #onCall: () => void = () => {};

  constructor(draws: Draws) {
    this.#draws = draws;
  }

  attach(child: ChildProcess): void {
    this.#child = child;
    child.on('message', message => this.#hear(child, message as ToParent));
    tell(child, { kind: 'start' });
  }

  /** Whatever was not acknowledged comes again. */
  begin(): void {
    for (const event of this.#unacknowledged.values()) this.#give(event);
    for (const chat of CHATS) this.#write(chat);
  }

  /** Nobody writes any more; resolves when all is answered. */
  async finish(): Promise<void> {
    this.#isOver = true;
    const all = () => this.said.map(({ token }) => token);
    await within(
      this.#untilAnswered(),
      () => `all of ${all()} are answered, not only ${[...this.#answered]}`,
    );
  }

  async #untilAnswered(): Promise<void> {
    while (this.#answered.size < this.said.length)
      await new Promise<void>(resolve => {
        this.#onAnswer = resolve;
      });
  }

  /** Resolves with the call of that number from now. */
  async afterCalls(count: number): Promise<void> {
    await within(this.#untilCalls(count), `${count} more calls`);
  }

  async #untilCalls(count: number): Promise<void> {
    for (const end = this.#calls + count; this.#calls < end; )
      await new Promise<void>(resolve => {
        this.#onCall = resolve;
      });
  }

  #hear(child: ChildProcess, message: ToParent): void {
    if (child !== this.#child) return;
    if (message.kind === 'ack') this.#unacknowledged.delete(message.id);
    if (message.kind === 'ran') this.ran.set(message.token, (this.ran.get(message.token) ?? 0) + 1);
    if (message.kind !== 'call') return;
    const { n, chat } = message;
    const sent = { ids: [this.#show(message)] };
    setTimeout(() => tell(child, { kind: 'reply', n, sent }), LATENCY_MS);
    this.#look(chat);
    this.#calls++;
    this.#onCall();
  }

  #show({ call, chat, text, id }: Extract<ToParent, { kind: 'call' }>): string {
    const all = this.chats.get(chat) ?? [];
    const found = call === 'edit' ? all.find(each => each.id === id) : undefined;
    if (found) {
      found.text = text;
      return found.id;
    }
    const shown = { id: `out${++this.#count}`, text };
    all.push(shown);
    return shown.id;
  }

  #look(chat: string): void {
    const current = this.said.findLast(each => each.chat === chat);
    if (!current || this.#answered.has(current.token)) return;
    if (!this.answersTo(chat, current.token)) return;
    this.#answered.add(current.token);
    this.#onAnswer();
    if (!this.#isOver) this.#write(chat);
  }

  /** Whole answers, and notes that what was begun is not begun anew: those stand for one message each. */
  answersTo(chat: string, token: string): boolean {
    const texts = this.chats.get(chat)?.map(({ text }) => text) ?? [];
    if (texts.some(text => text.endsWith(`answer to ${token}.`))) return true;
    return token.startsWith('tool') && texts.some(text => text.includes(RESTARTED) && text.includes(token));
  }

  #write(chat: string): void {
    const last = this.said.findLast(each => each.chat === chat);
    if (last && !this.#answered.has(last.token)) return;
    const id = ++this.#count;
    const token = `${KINDS[this.#draws.below(KINDS.length)]}${id}`;
    this.said.push({ chat, token });
    const event: PlatformEvent = {
      ...{ kind: 'message', id: String(id), text: token, files: [], isAddressed: true },
      chat: { id: chat, kind: 'private' },
      sender: { id: chat, name: chat },
    };
    this.#unacknowledged.set(event.id, event);
    this.#give(event);
  }

  #give(event: PlatformEvent): void {
    if (this.#child) tell(this.#child, { kind: 'event', event });
  }
}

/** One that was killed may still count as connected: then nobody hears it. */
function tell(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined);
}

function newChild(home: string): ChildProcess {
  const program = join(import.meta.dirname, 'killed-gateway.ts');
  return spawn(process.execPath, [program, home], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(home, 'compiled') },
  });
}

function isReady(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    child.on('message', message => {
      if ((message as ToParent).kind === 'ready') resolve();
    });
  });
}

it('P12: answers every message and marks every repeat, killed at random moments', {
  timeout: 60_000 + KILLS * 5000,
}, async () => {
  const home = await newHome();
  const draws = useDraws();
  const world = new World(draws);
  // The next ones are loaded already, so that only what matters takes time.
  const spare = [newChild(home), newChild(home)];
  try {
    for (let kill = 0; kill <= KILLS; kill++) {
      const child = spare.shift() ?? newChild(home);
      spare.push(newChild(home));
      const ready = isReady(child);
      world.attach(child);
      const isLast = kill === KILLS;
      const closed = once(child, 'close');
      // Every third one may die during its start.
      const isReadyFirst = kill % 3 !== 0 || isLast;
      if (isReadyFirst) await within(ready, 'the gateway is ready');
      world.begin();
      if (isLast) await world.finish();
      else if (isReadyFirst) await world.afterCalls(draws.below(MOST_CALLS));
      if (!isLast) await draws.moment(isReadyFirst ? LONGEST_MS : START_MS);
      child.kill('SIGKILL');
      await within(closed, 'the killed gateway ends');
    }
    expect(world.said.length).toBeGreaterThan(CHATS.length);
    for (const { chat, token } of world.said) {
      const shown = (world.chats.get(chat) ?? []).filter(({ text }) => text.endsWith(`answer to ${token}.`));
      const unmarked = shown.filter(({ text }) => !text.startsWith('(repeated)'));
      expect(world.answersTo(chat, token), token).toBe(true);
      expect(unmarked.length, JSON.stringify(world.chats.get(chat))).toBeLessThanOrEqual(1);
      expect(world.ran.get(token) ?? 0, token).toBeLessThanOrEqual(1);
    }
  } finally {
    for (const child of spare) child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
});
