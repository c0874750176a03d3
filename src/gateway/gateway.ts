// The heart of the gateway: platforms on one side, the agent on the other; who speaks, in which session, and how the
// answer gets back.
import type { Deed } from '../agent/deed.ts';
import type { AnswerOutcome, Decision } from '../approvals/desk.ts';
import type { Question } from '../approvals/question.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import type { Connection, Invitation, OutgoingText, PlatformEvent } from '../platforms/platform.ts';
import type { Session } from '../store/sessions.ts';
import { mayWorkAgain } from '../store/sqlite-errors.ts';
import { Cards } from './cards.ts';
import { chatCommands } from './commands/all-commands.ts';
import { tellCutOff } from './cut-off-notices.ts';
import { Deeds, type DoneBy } from './deeds.ts';
import { Delivery } from './delivery.ts';
import { Intake, type IntakeContext } from './intake.ts';
import { inviteOwner } from './invite-owner.ts';
import { type Link, Links } from './links.ts';
import { NoSandboxNews } from './no-sandbox.ts';
import { Owners } from './owners.ts';
import type { GatewayParts } from './parts.ts';
import { personOf } from './person-name.ts';
import type { Heart, HeartStatus } from './process/heart.ts';
import { tellProcesses } from './process-notices.ts';
import { reconcile } from './reconcile.ts';
import { recover } from './recovery.ts';
import type { CardPlace } from './request-cards.ts';
import { RestoredState } from './restored-state.ts';
import { Rounds } from './rounds.ts';
import { Runs } from './runs.ts';
import { StopSteps } from './stop-steps.ts';

const NOTICES_MS = 2000;
const TIDY_MS = 3_600_000;
const RECONCILE_MS = 30_000;
const GENERATION_MS = 10_000;
const STATE_LOOK_MS = 5000;
/** How long repeats of a message are known, and what was sent is remembered. */
const REMEMBER_MS = 7 * 86_400_000;

const NOBODY = 'Nobody owns this installation yet.';

export class Gateway implements Heart {
  readonly #parts: GatewayParts;
  readonly #links: Links;
  readonly #delivery: Delivery;
  readonly #owners: Owners;
  readonly #cards: Cards;
  readonly #deeds: Deeds;
  readonly #runs: Runs;
  readonly #context: IntakeContext;
  readonly #intake: Intake;
  readonly #rounds: readonly Rounds[];
  readonly #reconciling: Rounds;
  readonly #restored: RestoredState;
  /** What had been received when the generation of the state was raised last. */
  #raisedAt = 0;
  readonly #stopping = new AbortController();
  #isStarted = false;

  constructor(parts: GatewayParts) {
    const { world, home, platforms, desk, admission } = parts;
    this.#parts = parts;
    this.#links = new Links(platforms, {
      world,
      commands: chatCommands.map(({ name, doc }) => ({ name, doc })),
      receive: (event, link) => this.#receive(event, link),
      onUndelivered: (platform, report) => this.#delivery.undelivered(platform, report),
      onConnected: platform => this.#connected(platform),
      onFailed: () => this.#failed(),
      isWelcome: async (platform, userId) =>
        (await admission.roleOf(personOf({ platform, userId }))) !== undefined,
    });
    const links = this.#links;
    this.#delivery = new Delivery({
      ...{ world, home },
      link: platform => links.find(platform),
      onFailed: (row, failure, change) => this.#owners.tellNotDelivered(row, failure, change),
    });
    const delivery = this.#delivery;
    this.#owners = new Owners({ parts, links, delivery, stopping: this.#stopping.signal });
    this.#cards = new Cards({ world, desk, delivery, links, ownerChats: () => admission.ownerChats() });
    this.#deeds = new Deeds({ parts, cards: this.#cards, stopping: this.#stopping.signal });
    const noSandbox = new NoSandboxNews({ parts, delivery });
    const shared = { parts, delivery, links, cards: this.#cards, deeds: this.#deeds, noSandbox };
    this.#runs = new Runs(shared);
    this.#context = { ...shared, runs: this.#runs };
    this.#restored = new RestoredState(world, home);
    this.#intake = new Intake(this.#context, this.#restored);
    this.#reconciling = new Rounds(world, RECONCILE_MS, () => reconcile(this.#context));
    this.#rounds = [
      new Rounds(world, NOTICES_MS, () => tellProcesses(parts, delivery)),
      new Rounds(world, NOTICES_MS, () => tellCutOff(world, delivery)),
      new Rounds(world, TIDY_MS, () => this.#tidy()),
      new Rounds(world, GENERATION_MS, () => this.#raise()),
      this.#reconciling,
      new Rounds(world, STATE_LOOK_MS, () => this.#lookAtState()),
    ];
  }

  /** Resolves when what was left is in order and every platform has been tried. Throws when none can ever work. */
  async start(): Promise<void> {
    await this.#restored.open();
    await recover(this.#context, this.#intake);
    await this.#links.connect();
    const hopeless = this.#links.hopeless();
    if (hopeless) throw hopeless;
    this.#isStarted = true;
    this.#runs.open();
    await this.peopleChanged();
    for (const rounds of this.#rounds) rounds.start();
    // What has failed meanwhile is not left lying until the next look.
    this.#parts.world.store.onRecovered(() => this.#reconciling.now());
  }

  /**
   * Takes no more messages, tells the chats of runs, waits until the signal aborts, and leaves the rest to be taken up.
   * Whatever hangs, it ends some seconds after the signal; the log says what was not waited for.
   */
  async stop({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { admission, world } = this.#parts;
    const steps = new StopSteps(world, signal);
    const failFast = (): void => this.#failFast();
    if (signal.aborted) failFast();
    signal.addEventListener('abort', failFast, { once: true });
    // First, so that whoever waits knows; nothing that comes from now on begins a run.
    await steps.waitFor('telling the chats of runs', this.#runs.announceEnd(), 'moment');
    await steps.waitFor('pausing the platforms', this.#links.pause(), 'late');
    await steps.waitFor('periodic tasks', Promise.all(this.#rounds.map(each => each.stop())), 'moment');
    await steps.waitFor('runs', this.#runs.close(signal), 'late');
    this.#stopping.abort(new Error('the gateway stops'));
    admission.close();
    // What is said to strangers, and notes to whoever pressed a button, hold up nobody for long.
    const notes = Promise.all([admission.settle(), this.#intake.settle()]);
    await steps.waitFor('notes to people', notes, 'moment');
    await steps.waitFor('sending', this.#delivery.drained(), 'late');
    const stopped = this.#delivery.stop();
    await steps.waitFor('what is being sent', stopped, 'moment');
    // Ends the calls that hang; what they were to send goes after the next start.
    await steps.waitFor('closing the platforms', this.#links.close(), 'moment');
    await steps.waitFor('the end of sending', stopped, 'moment');
    await steps.waitFor('the generation of the state', this.#restored.raise(), 'moment');
    failFast();
  }

  status(): HeartStatus {
    const { active, waiting, started } = this.#runs.counts;
    return {
      platforms: this.#links.states().map(({ platform, state, account }) => ({
        ...{ name: platform, state: state.kind },
        ...(account === undefined ? {} : { account }),
        ...('reason' in state ? { reason: state.reason } : {}),
      })),
      runs: { active, waiting },
      counters: { messages_received: this.#intake.received, runs_started: started },
    };
  }

  warnings(): readonly string[] {
    return this.#parts.warnings;
  }

  async greeting(reader: 'person' | 'journal'): Promise<readonly string[]> {
    const code = await this.openClaim();
    if (code === undefined) return [];
    if (reader === 'person') return [`${NOBODY} Send the bot, in private: /claim ${code}`];
    const way = this.#parts.isShared
      ? 'A start in a terminal prints a code: hermes gateway restart'
      : 'Get the code: hermes gateway claim';
    return [`${NOBODY} ${way}`];
  }

  async ownerLink(): Promise<Invitation | undefined> {
    const { world, platforms } = this.#parts;
    for (const { name } of platforms) {
      const made = await inviteOwner(world.store, name, this.connection(name));
      if (made) return made;
    }
    return undefined;
  }

  openClaim(): Promise<string | undefined> {
    return this.#parts.admission.openClaim();
  }

  /** For whoever acts by the transport of the operator. */
  answerApproval(id: string, decision: Decision, who = 'cli'): Promise<AnswerOutcome> {
    return this.#parts.desk.answer(id, { who, isOwner: true }, decision);
  }

  /** Somebody was let in: what they wrote before is dealt with now. Somebody was kept out: what runs for them ends. */
  async peopleChanged(): Promise<void> {
    await this.#runs.endForbidden();
    await this.#parts.admission.takeApproved(async ({ platform, event }) => {
      const link = this.#links.find(platform);
      if (!link) return false; // it is kept until the platform is there again
      await this.#intake.receive(event, link, 'held');
      return true;
    });
  }

  revokeAllowed(entry: string): void {
    this.#parts.revokeAllowed?.(entry);
  }

  connection(platform: string): Connection | undefined {
    return this.#links.find(platform)?.connection;
  }

  /** For pages: what an owner does in a sandbox themselves. Throws DENIED_ACTION. */
  perform<T>(session: Session, deed: Deed<T>, by: DoneBy): Promise<T> {
    return this.#deeds.perform(session, deed, by);
  }

  /** For the desk of approvals. */
  showApproval(question: Question): Promise<boolean> {
    return this.#cards.show(question, this.#runs.find(question.runId)?.name);
  }

  /** For admission: a card for every owner who can be reached now. */
  sendToOwners(card: OutgoingText): Promise<readonly CardPlace[]> {
    return this.#owners.send(card);
  }

  /** For admission: changes what `sendToOwners` has sent; returns where that could be done. */
  changeCards(places: readonly CardPlace[], card: OutgoingText): Promise<readonly CardPlace[]> {
    return this.#owners.change(places, card);
  }

  /** Resolves when everything that can go out has gone out. */
  drained(): Promise<void> {
    return this.#delivery.drained();
  }

  /** What cannot be written down now is not waited for any more: it stays as it is for the next start. */
  #failFast(): void {
    this.#parts.world.store.failFast();
    this.#delivery.failFast();
  }

  #failed(): void {
    const hopeless = this.#isStarted ? this.#links.hopeless() : undefined;
    if (hopeless) this.#parts.onHopeless?.(hopeless);
  }

  #connected(platform: string): void {
    this.#delivery.wake(platform);
    this.peopleChanged().catch(error =>
      this.#parts.world.log.error({ platform, err: error }, 'held messages could not be taken up'),
    );
  }

  #receive(event: PlatformEvent, link: Link): Promise<void> {
    return this.#intake.receive(event, link);
  }

  /** Not while nothing happens: an idle gateway writes nothing. */
  async #raise(): Promise<void> {
    const { received } = this.#intake;
    if (received === this.#raisedAt && this.#runs.counts.active === 0) return;
    await this.#restored.raise();
    this.#raisedAt = received;
  }

  /** What is written into a state that was deleted or replaced is lost: nothing more is taken, and the gateway ends. */
  async #lookAtState(): Promise<void> {
    const { world, onHopeless } = this.#parts;
    try {
      world.store.checkFile();
      const { id } = await world.store.installation.read();
      if (id !== world.installation) throw otherState(id);
    } catch (error) {
      if (!isHermesError(error, 'UNAVAILABLE_STORE') || mayWorkAgain(error)) throw error;
      world.log.fatal({ error: error.message }, 'the state is lost');
      onHopeless?.(error);
    }
  }

  async #tidy(): Promise<void> {
    const { store, clock } = this.#parts.world;
    const before = clock.now() - REMEMBER_MS;
    await store.inbox.forgetDone(before);
    await store.outbox.forgetSettled(before);
    await store.begunCalls.forgetEnded();
  }
}

function otherState(id: string): HermesError {
  const message = `The state belongs to another installation now (${id}): its file was overwritten while it was open. Stop the gateway, restore a backup (hermes backup restore), and start it again.`;
  return new HermesError('UNAVAILABLE_STORE', message);
}
