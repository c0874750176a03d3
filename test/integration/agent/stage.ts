// An agent for a test: a real sandbox and store, the real door and provider, and a model on loopback that follows a script.
import type { Agent } from '../../../src/agent/agent.ts';
import type { AgentEvent, RunOutcome, Turn } from '../../../src/agent/events.ts';
import { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { Gate } from '../../../src/approvals/gate.ts';
import type { Question } from '../../../src/approvals/question.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { createRedactor } from '../../../src/base/redact/redactor.ts';
import { openAgent } from '../../../src/compose/agent.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { createProvider } from '../../../src/providers/create.ts';
import type { Message } from '../../../src/providers/provider.ts';
import type { Session } from '../../../src/store/sessions.ts';
import type { ModelServer } from '../../doubles/model-server.ts';
import type { Gateway } from '../sessions/world.ts';

export const CANARY = 'canary-9f3b7c21d4e6';

export interface Stage {
  readonly agent: Agent;
  readonly desk: ApprovalDesk;
  readonly asked: Question[];
}

export interface StageOptions {
  readonly server?: Pick<ModelServer, 'openAiUrl'>;
  /** Absent = openai-compatible. */
  readonly anthropicUrl?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Without a server there is no model. */
export async function stageOn(gateway: Gateway, options: StageOptions = {}): Promise<Stage> {
  const { store, clock } = gateway.world;
  const asked: Question[] = [];
  const desk = new ApprovalDesk({
    ...{ store, clock, timeoutMs: 60_000, allowAlways: async () => {} },
    show: async question => {
      asked.push(question);
      return true;
    },
  });
  return { agent: await agentOn(gateway, desk, options), desk, asked };
}

/** The agent as `openAgent` makes it, with this desk. */
export async function agentOn(
  { world, sandboxes, home }: Pick<Gateway, 'world' | 'sandboxes' | 'home'>,
  desk: ApprovalDesk,
  { server, anthropicUrl, settings = {} }: StageOptions,
): Promise<Agent> {
  const { store } = world;
  const wire =
    anthropicUrl === undefined ? {} : { 'model.provider': 'anthropic', 'model.base_url': anthropicUrl };
  const model = server ? { 'model.base_url': server.openAiUrl, 'model.name': 'test-model', ...wire } : {};
  const flags = Object.entries({ ...model, ...settings }).map(([key, text]) => [key, { flag: key, text }]);
  const config = await loadHermesConfig({ HERMES_HOME: home }, Object.fromEntries(flags));
  const redactor = createRedactor({ secrets: [CANARY], shapes: 'on' });
  const approvals = {
    desk,
    gate: new Gate({ desk, audit: store.audit, redact: redactor.redact }),
    policy: () => ({ mode: 'manual' as const, deny: [], allowlist: [] }),
  };
  const provider = await createProvider(config, {
    ...{ clock: systemClock, random: () => 0, redact: redactor.redact },
  });
  return openAgent(config, { world, sandboxes, provider, approvals, redactor });
}

export interface Heard {
  readonly runId: string;
  readonly events: readonly AgentEvent[];
  readonly outcome: RunOutcome;
  /** All text as it was streamed. */
  readonly text: string;
  readonly notices: readonly string[];
}

export interface Said extends Partial<Turn> {
  /** Files are on their way for ever. */
  readonly delivers?: 'never';
  readonly onEvent?: (event: AgentEvent) => unknown;
}

/** One message, to its end. */
export async function say(agent: Agent, session: Session, text: string, said: Said = {}): Promise<Heard> {
  const { onEvent, delivers, ...rest } = said;
  const runId = newId();
  const turn: Turn = {
    ...{ runId, text, files: [], requester: 'test:1', isOwner: true, mostFileBytes: 1_000_000 },
    signal: new AbortController().signal,
    ...rest,
  };
  const events: AgentEvent[] = [];
  for await (const event of agent.run(session, turn)) {
    events.push(event);
    if (event.type === 'file' && delivers !== 'never') event.delivered(`Sent ${event.file.name}.`);
    await onEvent?.(event);
  }
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('the last event is done');
  return {
    runId: turn.runId,
    events,
    outcome: last.outcome,
    text: events.map(event => (event.type === 'text' ? event.delta : '')).join(''),
    notices: events.flatMap(event => (event.type === 'notice' ? [event.text] : [])),
  };
}

export async function messagesOf({ world }: Gateway, sessionId: string): Promise<readonly Message[]> {
  const { turns } = await world.store.turns.history(sessionId);
  return turns.map(({ message }) => message as Message); // as the agent wrote them
}

/** Calls that no message answers. */
export function openCalls(messages: readonly Message[]): readonly string[] {
  const answered = new Set(
    messages.flatMap(each => (each.role === 'tool' ? each.answers.map(({ id }) => id) : [])),
  );
  const calls = messages.flatMap(each => (each.role === 'assistant' ? each.calls : []));
  return calls.filter(({ id }) => !answered.has(id)).map(({ name }) => name);
}

export function resultsOf(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap(event => (event.type === 'tool-finished' ? [event.text] : []));
}
