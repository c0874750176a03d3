// One pass of the agent for what one person wrote: its events become what the chat sees.
import type { AgentEvent, NoSandbox, RunOutcome, Turn, Write } from '../agent/events.ts';
import { LeftForLater } from '../agent/left-for-later.ts';
import { asHermesError, HermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { liveTerms, policyOrNone } from '../sessions/live-terms.ts';
import type { IncomingMessage } from '../store/inbox.ts';
import type { Session } from '../store/sessions.ts';
import { answerBodies, UNKNOWN_PLATFORM } from './answer-bodies.ts';
import { Asking } from './asking.ts';
import type { Cards } from './cards.ts';
import { type Conclusion, conclude, type Ending } from './conclusion.ts';
import type { Deeds } from './deeds.ts';
import { deliverFile } from './deliver-file.ts';
import type { Delivery, Parcel } from './delivery.ts';
import { type FilesIn, filesIn, withFiles } from './files-in.ts';
import { visible } from './foreign-text.ts';
import { addressOfIncoming, combinedText, incomingOf, wordsOf } from './incoming.ts';
import type { Link, Links } from './links.ts';
import { LiveAnswer } from './live-answer.ts';
import { missesNetwork, networkHint } from './network-hint.ts';
import type { NoSandboxNews } from './no-sandbox.ts';
import type { Recipient } from './outgoing.ts';
import type { Admitted, GatewayParts } from './parts.ts';
import type { OpenQuestion } from './question-to-person.ts';
import { RetryNote } from './retry-note.ts';

export interface RunContext {
  readonly parts: GatewayParts;
  readonly delivery: Delivery;
  readonly links: Links;
  readonly cards: Cards;
  readonly deeds: Deeds;
  readonly noSandbox: NoSandboxNews;
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0, modelCalls: 0, toolCalls: 0 };
const LONGEST_STATUS = 120;

/** What a run leaves to be written, all in one commit. */
export interface Left {
  readonly parcel: Parcel;
  readonly inbox: Conclusion['inbox'];
  /** Absent when it could not begin in the store. */
  readonly end: Write | undefined;
}

interface Beginning {
  readonly first: IncomingMessage;
  /** Of the person, now. */
  readonly role: Admitted['role'];
}

export class ActiveRun {
  readonly id: string;
  readonly session: Session;
  readonly startedAt: number;
  /** Whose message it deals with. */
  readonly person: string;
  /** As they call themselves. */
  readonly name: string;
  readonly to: Recipient;
  readonly #role: Admitted['role'];
  /** It goes on where a restart cut it off. */
  readonly #isResumed: boolean;
  readonly #context: RunContext;
  readonly #abort = new AbortController();
  readonly #aside = new Set<Promise<void>>();
  readonly #asking: Asking;
  readonly #retries: RetryNote;
  #live: LiveAnswer | undefined;
  #ending: Ending | undefined;
  #hadStartedTools = false;
  #sentFiles = 0;
  #hasHinted = false;
  /** Why there is none; the chat knows. */
  #noSandbox: string | undefined;

  constructor(context: RunContext, session: Session, { first, role }: Beginning) {
    this.#context = context;
    this.#isResumed = first.resumes !== null;
    this.id = first.resumes ?? newId();
    this.person = first.person;
    this.name = incomingOf(first).name;
    this.#role = role;
    this.session = session;
    this.startedAt = context.parts.world.clock.now();
    this.to = { address: addressOfIncoming(first), sessionId: session.id, runId: this.id };
    this.#retries = new RetryNote({
      ...{ delivery: context.delivery, to: this.to },
      edits: () => this.#link()?.capabilities.edits ?? false,
    });
    this.#asking = new Asking({
      ...{ runId: this.id, person: this.person, to: this.to },
      ...{ delivery: context.delivery, redact: context.parts.world.redact, signal: this.#abort.signal },
      live: () => this.#live,
      meanwhile: work => this.#meanwhile(work),
    });
  }

  get question(): OpenQuestion | undefined {
    return this.#asking.open;
  }

  /** The first reason counts; only what an interruption would take up again can still be stopped. */
  end(why: Ending): void {
    if (this.#ending === undefined || (this.#ending === 'interrupted' && why === 'stopped'))
      this.#ending = why;
    this.#abort.abort(why === 'shutdown' ? new LeftForLater() : new Error(`the run was ${why}`));
  }

  /** What is to be written down when it is over. Never throws. */
  async perform(batch: readonly IncomingMessage[], more?: Turn['more']): Promise<Left> {
    const { delivery, links, parts } = this.#context;
    const { platform } = this.to.address;
    const live = new LiveAnswer({
      ...{ world: parts.world, delivery, to: this.to },
      link: () => links.find(platform),
    });
    this.#live = live;
    const turn = await this.#turn(batch);
    let end: Write | undefined;
    const onEnd = (write: Write): void => {
      end = write;
    };
    const outcome = await this.#outcome({ ...turn, onEnd, ...(more ? { more } : {}) });
    if (this.#retries.isOpen) this.#meanwhile(() => this.#retries.end('silent'));
    await Promise.all(this.#aside);
    const row = await live.close();
    const { text, inbox } = conclude(outcome, {
      ending: this.#ending,
      hadStartedTools: this.#hadStartedTools,
      isRecorded: this.#ending === undefined || (await parts.world.store.turns.ofRun(this.id)).length > 0,
      shown: row === undefined ? '' : live.text.trim(),
      isShown: row !== undefined,
      sentFiles: this.#sentFiles,
    });
    const capabilities = links.capabilities(platform) ?? UNKNOWN_PLATFORM;
    const { redact } = parts.world;
    const place = { capabilities, live: row, redact, isReport: outcome.kind === 'failed' };
    // A run that failed for want of a sandbox has said so already.
    const isSaid = outcome.kind === 'failed' && outcome.code === this.#noSandbox;
    const bodies = text === undefined || isSaid ? [] : answerBodies(text, place);
    return { parcel: { to: this.to, bodies }, inbox, end };
  }

  async #outcome(turn: Turn): Promise<RunOutcome> {
    const { agent, world, observe } = this.#context.parts;
    let outcome: RunOutcome | undefined;
    try {
      for await (const event of agent.run(this.session, turn)) {
        observe?.(this, event);
        if (event.type === 'done') outcome = event.outcome;
        else this.#take(event);
      }
    } catch (error) {
      if (this.#abort.signal.aborted) return { kind: 'canceled', usage: NO_USAGE };
      const { code, message } = asHermesError(error);
      world.log.error({ run: this.id, code, error: message }, 'a run failed');
      return { kind: 'failed', code, text: message, usage: NO_USAGE };
    }
    return outcome ?? { kind: 'canceled', usage: NO_USAGE };
  }

  #take(event: Exclude<AgentEvent, { type: 'done' }>): void {
    const { cards, delivery } = this.#context;
    const isAnswer = event.type === 'text' || event.type === 'tool-started';
    if (isAnswer && this.#retries.isOpen) this.#meanwhile(() => this.#retries.end('answers'));
    switch (event.type) {
      case 'text':
        this.#live?.append(event.delta);
        return;
      case 'tool-started':
        this.#hadStartedTools = true;
        this.#live?.doing(statusLine(event.tool, event.summary));
        return;
      case 'tool-finished':
        this.#live?.doing('');
        if (!this.#hasHinted && missesNetwork(event.text)) this.#meanwhile(() => this.#hint());
        return;
      case 'notice':
        this.#meanwhile(() =>
          event.about === 'retry'
            ? this.#retries.waiting(event.text)
            : delivery.send(this.to, { kind: 'text', text: event.text }),
        );
        return;
      case 'no-sandbox':
        if (this.#noSandbox === undefined) this.#meanwhile(() => this.#tellNoSandbox(event));
        this.#noSandbox = event.code;
        return;
      case 'approval-asked':
        this.#meanwhile(() => cards.tellWaiting(event.question, this.to));
        return;
      case 'approval-settled':
        this.#meanwhile(() => cards.settle(event.id));
        return;
      case 'file':
        this.#sentFiles++;
        // The receipt may take as long as the platform does; the answer does not wait for it.
        void deliverFile(this.#context, this.to, event);
        return;
      default:
        return;
    }
  }

  async #turn(batch: readonly IncomingMessage[]): Promise<Turn> {
    const link = this.#link();
    const { files, tooLarge } = this.#files(this.#isResumed ? [] : batch);
    if (tooLarge.length > 0)
      await this.#context.delivery.send(this.to, { kind: 'text', text: tooLarge.join('\n') });
    return {
      runId: this.id,
      ...(this.#isResumed ? { isResumed: true } : {}),
      text: combinedText(batch),
      files,
      requester: this.person,
      isOwner: this.#role === 'owner',
      signal: this.#abort.signal,
      answer: (question, options) => this.#asking.ask(question, options),
      mostFileBytes: link?.capabilities.maxFileOut ?? 0,
    };
  }

  #files(batch: readonly IncomingMessage[]): FilesIn {
    const most = this.#link()?.capabilities.maxFileIn ?? 0;
    return filesIn(batch, most, (name, ref) => this.#fetch(name, ref));
  }

  async #fetch(name: string, ref: unknown): Promise<Uint8Array> {
    const { platform } = this.to.address;
    const link = this.#link();
    if (link) return link.connection.fetchFile(ref, { signal: this.#abort.signal });
    throw new HermesError(
      'UNAVAILABLE_PLATFORM',
      `${name} is not fetched: there is no connection to ${platform}.`,
    );
  }

  /** What somebody says in answer to the question; files go into the sandbox first. Never throws. */
  async answerWith(row: IncomingMessage): Promise<void> {
    const question = this.#asking.take();
    const { parts, deeds } = this.#context;
    const by = { person: this.person, signal: this.#abort.signal, to: this.to };
    const receiving = { world: parts.world, deeds, session: this.session, by };
    question?.answer(await withFiles(wordsOf(row), this.#files([row]), receiving));
  }

  async #hint(): Promise<void> {
    const { world } = this.#context.parts;
    this.#hasHinted = true;
    // Of the sandbox that the command ran in: after a switch it stays as it was until it is made anew.
    const sandbox = await world.store.ledger.findLive(this.session.id);
    if (!sandbox || liveTerms(world, sandbox).network !== 'none') return;
    const session = (await world.store.sessions.find(this.session.id)) ?? this.session;
    const isOpening = (await policyOrNone(world, session))?.network.value === 'open';
    await this.#context.delivery.send(this.to, {
      kind: 'text',
      text: networkHint(isOpening ? 'opening' : 'closed'),
    });
  }

  #tellNoSandbox(why: NoSandbox): Promise<void> {
    return this.#context.noSandbox.tell(why, { role: this.#role, name: this.name, to: this.to });
  }

  #link(): Link | undefined {
    return this.#context.links.find(this.to.address.platform);
  }

  /** What must be over before the run is, and must not hold it up. */
  #meanwhile(work: () => Promise<void>): void {
    const { log } = this.#context.parts.world;
    const done = work()
      .catch(error => log.error({ run: this.id, error: asHermesError(error).message }, 'a chat was not told'))
      .finally(() => this.#aside.delete(done));
    this.#aside.add(done);
  }
}

function statusLine(tool: string, summary: string): string {
  const [line = ''] = visible(summary).split('\n');
  const shown = line.length > LONGEST_STATUS ? `${line.slice(0, LONGEST_STATUS).toWellFormed()}…` : line;
  return `⚙ ${tool}${shown === '' ? '' : `: ${shown}`}`;
}
