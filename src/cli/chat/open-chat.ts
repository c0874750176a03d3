// What a chat in the terminal stands on: a session of its own, its sandbox, and the agent.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import type { ApprovalDesk, DeskOptions } from '../../approvals/desk.ts';
import { HermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
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
import { type Hold, holdAlone } from '../../store/sole-holder.ts';
import type { CommandContext } from '../command.ts';
import { Failures } from './failures.ts';

export const PERSON = 'cli';

export interface OpenChatOptions {
  readonly begin: 'new' | 'continue';
  readonly show: DeskOptions['show'];
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
  #session: Held;
  #agent: { readonly agent: Agent; readonly desk: ApprovalDesk; readonly provider: Provider | undefined };

  private constructor(opened: Opened, session: Held, rest: Pick<Chat, 'notices'> & { agent: AgentOf }) {
    const { config, world, failures } = opened;
    this.config = config;
    this.world = world;
    this.failures = failures;
    this.notices = rest.notices;
    this.#opened = opened;
    this.#session = session;
    this.#agent = rest.agent;
  }

  static async open(context: CommandContext, options: OpenChatOptions): Promise<Chat> {
    const opened = await openParts(context, options);
    try {
      const { world } = opened;
      const session = await (options.begin === 'new' ? newSession(opened) : lastSession(opened));
      const decision = await decide(world, session.session);
      if (decision.kind === 'undecided') await chooseAuto(world, context.signal);
      const agent = agentOf(opened, await createProvider(opened.config, { clock: context.clock }));
      const cutOff = await agent.agent.recover({ sessionId: session.session.id });
      return new Chat(opened, session, { agent, notices: cutOff.map(({ text }) => text) });
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

  /** For this chat only. Asks no server. */
  async useModel(name: string): Promise<void> {
    const { config, world } = this.#opened;
    this.#agent = agentOf(this.#opened, await providerFor(name, config, { clock: world.clock }));
  }

  /** The conversation so far is over, and its sandbox goes with it. */
  async startAnew(): Promise<void> {
    await this.#end();
    this.#session = await newSession(this.#opened);
  }

  /** `keep`: the session can be continued, and keeps the files that its sandbox keeps. */
  async close(how: 'keep' | 'discard'): Promise<void> {
    try {
      if (how === 'discard') await this.#end();
      else await this.#rest();
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
  close(): Promise<void>;
}

type AgentOf = ReturnType<typeof agentOf>;

function agentOf({ config, world, sandboxes, redactor, show }: Opened, provider: Provider | undefined) {
  const approvals = openApprovals(config, { world, provider, show });
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
  const { world } = installation;
  const sandboxes = new SessionSandboxes(world, { most: MOST_SANDBOXES, warm: 0 });
  return {
    ...{ config, world, sandboxes, failures, redactor, show },
    async close() {
      await sandboxes.close();
      await installation.close();
    },
  };
}

/** A session that no other chat has as long as this one has it. */
interface Held {
  readonly session: Session;
  release(): Promise<void>;
}

async function newSession(opened: Opened): Promise<Held> {
  const id = newId();
  const session = await opened.world.store.sessions.enter({
    ...{ key: `cli:${id}`, kind: 'cli', platform: 'cli', chat: id, person: PERSON },
  });
  const held = await holdSession(opened, session);
  if (held) return held;
  throw new HermesError('BUG_UNEXPECTED', `Another chat has the new session ${session.id}.`);
}

/** The one that was active last and that no other chat has. */
async function lastSession(opened: Opened): Promise<Held> {
  const sessions = await opened.world.store.sessions.list({ which: 'current', limit: 200 });
  for (const session of sessions.filter(({ kind }) => kind === 'cli')) {
    const held = await holdSession(opened, session);
    if (held) return held;
  }
  throw new HermesError(
    'USAGE_UNKNOWN_ID',
    'There is no chat to continue. `hermes chat` without --continue begins one.',
  );
}

async function holdSession({ config }: Opened, session: Session): Promise<Held | undefined> {
  const folder = join(config.paths.home, 'chats');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${session.id}.lock`);
  const hold: Hold | undefined = holdAlone(file);
  if (!hold) return undefined;
  return {
    session,
    async release() {
      // While it is still held: whoever comes now makes a new one.
      await rm(file, { force: true });
      hold.release();
    },
  };
}
