// What outlives a restart: the session at Discord's gateway and how far it was taken in, so that it can be resumed, and where
// to look for what was missed when it cannot.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { ifThere } from '../../base/if-there.ts';
import type { Log } from '../../base/log.ts';
import { ensurePrivateDir, writePrivateFile } from '../../base/private-files.ts';
import { pause } from '../back-off.ts';

const sessionShape = z.object({
  id: z.string(),
  resumeUrl: z.string(),
  sequence: z.int().nonnegative(),
});

const keptShape = z.object({
  /** Another bot has other sessions. */
  account: z.string(),
  session: sessionShape.optional(),
  /** Id of the newest message that was taken in; ids of all channels are in the order of time. */
  newest: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** Private channels in which somebody wrote, the latest last; Discord does not list them. */
  privates: z.array(z.string().regex(/^\d{1,20}$/)).default([]),
});

export type GatewaySession = z.infer<typeof sessionShape>;
type Content = z.infer<typeof keptShape>;

const MOST_PRIVATES = 200;
/** A crash in between brings a second's events again, and they are known by their ids. */
const PAUSE_MS = 1000;

export interface KeptOptions {
  /** Absent = nothing is kept. */
  readonly home: string | undefined;
  readonly account: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class Kept {
  readonly #options: KeptOptions;
  #content: Content;
  #isChanged = false;
  #rounds: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  private constructor(options: KeptOptions, content: Content) {
    this.#options = options;
    this.#content = content;
  }

  /** What cannot be read is as if it were not there. */
  static async open(options: KeptOptions): Promise<Kept> {
    const { home, account, log } = options;
    const empty: Content = { account, privates: [] };
    if (home === undefined) return new Kept(options, empty);
    const text = await ifThere(readFile(fileIn(home), 'utf8'));
    const content = text === undefined ? undefined : readKept(text);
    if (text !== undefined && !content) log.warn('what was kept of the last session cannot be read');
    return new Kept(options, content?.account === account ? content : empty);
  }

  get session(): GatewaySession | undefined {
    return this.#content.session;
  }

  get newest(): string | undefined {
    return this.#content.newest;
  }

  get privates(): readonly string[] {
    return this.#content.privates;
  }

  keepSession(session: GatewaySession | undefined): void {
    const { session: _, ...rest } = this.#content;
    this.#change(session ? { ...rest, session } : rest);
  }

  keepNewest(id: string): void {
    const { newest } = this.#content;
    if (newest === undefined || BigInt(id) > BigInt(newest)) this.#change({ ...this.#content, newest: id });
  }

  keepPrivate(channelId: string): void {
    const { privates } = this.#content;
    if (privates.at(-1) === channelId) return;
    const others = privates.filter(each => each !== channelId).slice(1 - MOST_PRIVATES);
    this.#change({ ...this.#content, privates: [...others, channelId] });
  }

  /** Resolves when what was written last is on disk. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Resolves when all of it is on disk. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#rounds) await this.#rounds;
  }

  #change(content: Content): void {
    this.#content = content;
    this.#isChanged = true;
    this.#rounds ??= this.#writeInRounds().finally(() => {
      this.#rounds = undefined;
    });
  }

  async #writeInRounds(): Promise<void> {
    while (this.#isChanged) {
      this.#isChanged = false;
      this.#writing = this.#write();
      await this.#writing;
      await pause(this.#options.clock, PAUSE_MS, this.#closing.signal);
    }
  }

  async #write(): Promise<void> {
    const { home, log } = this.#options;
    if (home === undefined) return;
    try {
      await ensurePrivateDir(join(home, 'discord'));
      await writePrivateFile(fileIn(home), JSON.stringify(this.#content));
    } catch (error) {
      // Nothing is lost by it but the way back after a crash.
      log.warn({ err: error }, 'the session with Discord is not kept');
    }
  }
}

function fileIn(home: string): string {
  return join(home, 'discord', 'session.json');
}

function readKept(text: string): Content | undefined {
  try {
    return keptShape.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
