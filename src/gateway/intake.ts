// What comes in: admitted first (P1), then its session, then the inbox, and only then is it acknowledged (P12).
import type { Deed } from '../agent/deed.ts';
import { asHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { Turns } from '../base/turns.ts';
import type { PlatformEvent } from '../platforms/platform.ts';
import type { IncomingMessage } from '../store/inbox.ts';
import type { Session } from '../store/sessions.ts';
import type { Repositories } from '../store/store.ts';
import type { Cards } from './cards.ts';
import { runCommand } from './commands/all-commands.ts';
import { parseCommand } from './commands/command.ts';
import { runningProcesses } from './commands/status.ts';
import type { Deeds } from './deeds.ts';
import type { Delivery } from './delivery.ts';
import { addressOfIncoming, incomingBody, incomingOf, type MessageEvent, senderOf } from './incoming.ts';
import type { Link, Links } from './links.ts';
import type { Admitted, GatewayParts } from './parts.ts';
import type { RestoredState } from './restored-state.ts';
import type { Runs } from './runs.ts';
import { sessionOf } from './session-key.ts';
import { resetReason } from './session-reset.ts';

export interface IntakeContext {
  readonly parts: GatewayParts;
  readonly delivery: Delivery;
  readonly links: Links;
  readonly runs: Runs;
  readonly cards: Cards;
  readonly deeds: Deeds;
}

/** Ids of the inbox that are no runs. */
const COMMAND = 'command-';

export class Intake {
  readonly #context: IntakeContext;
  readonly #restored: Pick<RestoredState, 'isDealtWith'>;
  readonly #acting = new Set<Promise<void>>();
  /** By chat. */
  readonly #order = new Turns();
  #received = 0;

  constructor(context: IntakeContext, restored: Pick<RestoredState, 'isDealtWith'>) {
    this.#context = context;
    this.#restored = restored;
  }

  get received(): number {
    return this.#received;
  }

  /**
   * Resolves when the event may be acknowledged; throws when it must come again. Messages of one chat are stored in the order in
   * which they came, however long each takes.
   */
  async receive(event: PlatformEvent, link: Link, from: 'platform' | 'held' = 'platform'): Promise<void> {
    if (event.kind === 'button') return this.#receive(event, link);
    if (!event.isAddressed) return;
    if (from === 'platform' && this.#restored.isDealtWith(event.sentAt)) {
      const { log } = this.#context.parts.world;
      log.info(
        { platform: link.platform, chat: event.chat.id },
        'a message from before the restore is not answered again',
      );
      return;
    }
    await this.#order.in(`${link.platform} ${event.chat.id}`, () => this.#receive(event, link));
  }

  async #receive(event: PlatformEvent, link: Link): Promise<void> {
    const by = await this.#context.parts.admission.admit(event, link);
    if (!by) return;
    this.#received++;
    if (event.kind === 'button') await this.#press(event, by, link);
    else await this.#store(event, by, link);
  }

  /** Resolves when no command is being carried out any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#acting);
  }

  /** A command that is in the inbox already; also after a crash that may have come before it acted. */
  act(row: IncomingMessage, session: Session): void {
    const { log } = this.#context.parts.world;
    this.#meanwhile(
      this.#act(row, session).catch(error =>
        log.error({ error: asHermesError(error).message }, 'a chat command was not answered'),
      ),
    );
  }

  #meanwhile(work: Promise<void>): void {
    const acting: Promise<void> = work.finally(() => this.#acting.delete(acting));
    this.#acting.add(acting);
  }

  async #store(event: MessageEvent, by: Admitted, { platform }: Link): Promise<void> {
    const { runs, parts } = this.#context;
    const isOwn = event.forwardedFrom === undefined;
    const kind = isOwn && parseCommand(event.text) ? 'command' : 'message';
    const place = sessionOf({ platform, chat: event.chat, sender: event.sender, groups: this.#groups });
    await this.#startAfresh(place.key);
    const stored = await parts.world.store.together(async ({ sessions, inbox }) => {
      const session = await sessions.enter(place);
      const row = await inbox.put({
        ...{ platform, chat: event.chat.id, messageId: event.id, sessionId: session.id, person: by.person },
        body: incomingBody(event, by, kind),
        ...(kind === 'command' ? { runId: `${COMMAND}${newId()}` } : {}),
      });
      return { session, row };
    });
    if (!stored.row) return;
    if (kind === 'command') this.act(stored.row, stored.session);
    else await runs.offer(stored.row);
  }

  get #groups(): 'session-per-person' | 'one-session' {
    return this.#context.parts.settings.get('group_sessions_per_user') ? 'session-per-person' : 'one-session';
  }

  /** Never under what runs, waits, or goes on in the background. */
  async #startAfresh(key: string): Promise<void> {
    const { parts, runs } = this.#context;
    const { store, clock } = parts.world;
    const session = await store.sessions.findCurrent(key);
    if (!session) return;
    const policy = {
      mode: parts.settings.get('session_reset.mode'),
      atHour: parts.settings.get('session_reset.at_hour'),
      idleMinutes: parts.settings.get('session_reset.idle_minutes'),
    };
    const life = { activeAt: session.activeAt, now: clock.now() };
    if (!resetReason(policy, { ...life, processes: 0 })) return;
    if (runs.activeIn(session.id) || runs.waitingIn(session.id) > 0) return;
    const processes = (await runningProcesses(store, session.id)).length;
    if (resetReason(policy, { ...life, processes })) await store.sessions.end(session.id);
  }

  async #act(row: IncomingMessage, session: Session): Promise<void> {
    const { delivery, parts, runs, links, deeds } = this.#context;
    const { runId, seq } = row;
    const finish = async ({ inbox }: Pick<Repositories, 'inbox'>): Promise<void> => {
      if (runId !== null) await inbox.finish(runId);
    };
    // After a crash it may have waited for long (P1).
    const role = await parts.admission.roleOf(row.person);
    if (role === undefined) return finish(parts.world.store);
    const by = { ...senderOf(row), role };
    const { name, args } = parseCommand(incomingOf(row).text) ?? { name: '', args: '' };
    const address = addressOfIncoming(row);
    const to = { address, sessionId: session.id };
    const isStopping = (): boolean => deeds.isStopping;
    const perform = <T>(deed: Deed<T>): Promise<T> => deeds.perform(session, deed, { person: by.person, to });
    // What the end of the gateway has cut off stays in the inbox, and is done after the next start.
    const bodies = await runCommand(name, {
      parts,
      runs,
      links,
      by,
      session,
      address,
      args,
      seq,
      perform,
      isStopping,
    });
    if (bodies) await delivery.sendWith([{ to, bodies }], finish);
  }

  async #press(
    event: Extract<PlatformEvent, { kind: 'button' }>,
    by: Admitted,
    { connection, platform }: Link,
  ): Promise<void> {
    const { runs, cards, parts } = this.#context;
    const text =
      (await cards.press(event.data, by)) ??
      runs.press(event.data, by.person) ??
      'That button means nothing any more.';
    // What was decided is decided; nobody waits for the little note.
    const noted = connection.answerButton?.(event.id, text);
    if (!noted) return;
    this.#meanwhile(
      noted.catch(error =>
        parts.world.log.warn({ platform, error: asHermesError(error).message }, 'a button was not answered'),
      ),
    );
  }
}
