// What a chat in the terminal stands on: a session of its own, its sandbox, and the agent.

import type { Agent } from '../../agent/agent.ts';
import type { ApprovalDesk, DeskOptions } from '../../approvals/desk.ts';
import type { Asked } from '../../approvals/question.ts';
import type { Isolation } from '../../backends/backend.ts';
import { createLog } from '../../base/log.ts';
import { openAgent } from '../../compose/agent.ts';
import { openApprovals } from '../../compose/approvals.ts';
import { type HermesConfig, openInstallation, redactorOf } from '../../compose.ts';
import { createProvider, providerFor } from '../../providers/create.ts';
import type { Provider } from '../../providers/provider.ts';
import { chooseAuto } from '../../sessions/auto.ts';
import { decide } from '../../sessions/decide.ts';
import { SessionSandboxes } from '../../sessions/session-sandboxes.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import type { Session } from '../../store/sessions.ts';
import type { CommandContext } from '../command.ts';
import { endOverdueHere } from '../commands/installation.ts';
import { Failures } from './failures.ts';
import { type HeldSession, lastSession, newSession } from './held-session.ts';
import { sudoAsker } from './sudo-password.ts';

export interface OpenChatOptions {
  readonly begin: 'new' | 'continue';
  /** `nobody`: in this one conversation what could do harm runs without a question, and `unasked` hears of it. */
  readonly asks: 'person' | 'nobody';
  readonly show: DeskOptions['show'];
  /** Told, redacted, what runs without the question that it would have been. */
  readonly unasked: (asked: Asked) => void;
  /** Asks the person for a password, not shown; absent = there is nobody at a terminal. */
  readonly askSecret?: (prompt: string) => Promise<string | undefined>;
  /** Hears what takes long, such as the pull of an image. */
  readonly progress: (text: string) => void;
}

/** One session and the one before it at most, while it is taken down. */
const MOST_SANDBOXES = 2;

export class Chat {
  readonly config: HermesConfig;
  readonly world: SandboxWorld;
  readonly failures: Failures;
  /** What cut off the run before, when a chat goes on that was ended in the middle. */
  readonly notices: readonly string[];
  readonly #opened: Opened;
  #session: HeldSession;
  #agent: AgentOf;
  #rules: Rules;

  private constructor(opened: Opened, session: HeldSession, rest: ChatParts) {
    const { config, world, failures } = opened;
    this.config = config;
    this.world = world;
    this.failures = failures;
    this.notices = rest.notices;
    this.#opened = opened;
    this.#session = session;
    this.#agent = rest.agent;
    this.#rules = rest.rules;
  }

  static async open(context: CommandContext, options: OpenChatOptions): Promise<Chat> {
    const opened = await openParts(context, options);
    try {
      const { world } = opened;
      const session = await (options.begin === 'new' ? newSession(opened) : lastSession(opened));
      const decision = await decide(world, session.session);
      if (decision.kind === 'undecided') await chooseAuto(world, context.signal);
      const rules = await rulesFor(opened, context, options);
      const agent = agentOf(
        opened,
        rules,
        await createProvider(opened.config, { clock: context.clock, redact: world.redact }),
      );
      const cutOff = await agent.agent.recover({ sessionId: session.session.id });
      return new Chat(opened, session, { agent, rules, notices: cutOff.map(({ text }) => text) });
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  get session(): Session {
    return this.#session.session;
  }

  get agent(): Agent {
    return this.#agent.agent;
  }

  get desk(): ApprovalDesk {
    return this.#agent.desk;
  }

  /** Undefined: direct mode. */
  get model(): Provider | undefined {
    return this.#agent.provider;
  }

  get asks(): OpenChatOptions['asks'] {
    return this.#rules.asks;
  }

  /** For this chat only. Asks no server. */
  async useModel(name: string): Promise<void> {
    const { config, world } = this.#opened;
    const provider = await providerFor(name, config, { clock: world.clock, redact: world.redact });
    this.#agent = agentOf(this.#opened, this.#rules, provider);
  }

  /** The conversation so far is over, and its sandbox goes with it; so does that nobody was asked in it. */
  async startAnew(): Promise<void> {
    await this.#end();
    this.#session = await newSession(this.#opened);
    if (this.#rules.asks === 'person') return;
    this.#rules = { asks: 'person', config: this.config, isolation: this.#rules.isolation };
    this.#agent = agentOf(this.#opened, this.#rules, this.model);
  }

  /** The session can be continued, and keeps the files that its sandbox keeps. */
  async close(): Promise<void> {
    try {
      await this.#rest();
      await this.#opened.endOverdue();
    } finally {
      await this.#opened.close();
    }
  }

  async #end(): Promise<void> {
    const { world, sandboxes } = this.#opened;
    const { id } = this.session;
    await world.store.sessions.end(id);
    const entry = await world.store.ledger.findLive(id);
    if (entry) await sandboxes.destroy(entry.id);
    await this.#session.release();
  }

  async #rest(): Promise<void> {
    const { world, sandboxes } = this.#opened;
    const entry = await world.store.ledger.findLive(this.session.id);
    if (entry) await sandboxes.retire(entry);
    await this.#session.release();
  }
}

interface Opened {
  readonly config: HermesConfig;
  readonly world: SandboxWorld;
  readonly sandboxes: SessionSandboxes;
  readonly failures: Failures;
  readonly redactor: Awaited<ReturnType<typeof redactorOf>>;
  readonly show: DeskOptions['show'];
  endOverdue(): Promise<void>;
  close(): Promise<void>;
}

interface AgentOf {
  readonly agent: Agent;
  readonly desk: ApprovalDesk;
  readonly provider: Provider | undefined;
}

/** Whether anybody is asked, and the configuration that says so. */
interface Rules {
  readonly asks: OpenChatOptions['asks'];
  readonly config: HermesConfig;
  readonly unasked?: OpenChatOptions['unasked'];
  /** Of the sandboxes of such sessions. */
  readonly isolation: Isolation;
}

interface ChatParts {
  readonly agent: AgentOf;
  readonly rules: Rules;
  readonly notices: readonly string[];
}

async function rulesFor(
  { config, world }: Opened,
  context: CommandContext,
  { asks, unasked }: OpenChatOptions,
): Promise<Rules> {
  const decision = await decide(world, { kind: 'cli' });
  const isolation = decision.kind === 'decided' ? decision.policy.isolation : 'none';
  if (asks === 'person') return { asks, config, isolation };
  const off = await context.config({ 'approvals.mode': { flag: '--yolo', text: 'off' } });
  return { asks, config: off, unasked, isolation };
}

function agentOf(
  { world, sandboxes, redactor, show }: Opened,
  { config, unasked, isolation }: Rules,
  provider: Provider | undefined,
): AgentOf {
  const approvals = openApprovals(config, {
    world,
    provider,
    show,
    isolation,
    ...(unasked ? { unasked } : {}),
  });
  const agent = openAgent(config, { world, sandboxes, provider, approvals, redactor });
  return { agent, desk: approvals.desk, provider };
}

async function openParts(context: CommandContext, options: OpenChatOptions): Promise<Opened> {
  const { environment, clock } = context;
  const { show, progress } = options;
  const config = await context.config();
  const redactor = await redactorOf(config);
  const failures = new Failures();
  const log = createLog({ level: 'error', destination: failures, redact: redactor.redact, now: clock.now });
  const installation = await openInstallation(config, environment, { role: 'cli', log, progress, redactor });
  const { askSecret } = options;
  const world = askSecret
    ? { ...installation.world, askSudoPassword: sudoAsker(askSecret, redactor.learn) }
    : installation.world;
  const sandboxes = new SessionSandboxes(world, { most: MOST_SANDBOXES, warm: 0 });
  return {
    ...{ config, world, sandboxes, failures, redactor, show },
    endOverdue: () => endOverdueHere(world, config, context),
    async close() {
      await sandboxes.close();
      await installation.close();
    },
  };
}
