// A whole gateway for a test: real store, admission, approvals and sandboxes, with a platform in memory and an agent that
// does what the test says.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performing } from '../../../src/agent/deed.ts';
import type { AgentEvent, RunOutcome, Turn } from '../../../src/agent/events.ts';
import { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { Gate } from '../../../src/approvals/gate.ts';
import type { Question } from '../../../src/approvals/question.ts';
import { writePrivateFile } from '../../../src/base/private-files.ts';
import { openDoor } from '../../../src/compose/door.ts';
import { loadHermesConfig } from '../../../src/compose.ts';
import { Admission } from '../../../src/gateway/admission.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import type { Agent } from '../../../src/gateway/parts.ts';
import { platformPeople } from '../../../src/gateway/people-rules.ts';
import type { Platform, PlatformContext } from '../../../src/platforms/platform.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { newHome, openGateway } from '../sessions/world.ts';
import { MemoryPlatform } from './memory-platform.ts';

export const OWNER = '1';
export const USER = '2';

export type Script = (turn: Turn, session: Session) => AsyncIterable<AgentEvent>;

export interface House {
  readonly home: string;
  readonly gateway: Gateway;
  readonly platform: MemoryPlatform;
  readonly desk: ApprovalDesk;
  readonly ground: Awaited<ReturnType<typeof openGateway>>;
  /** As after a crash: nothing is told, finished or put in order. */
  crash(): Promise<void>;
}

export interface HouseOptions {
  readonly home?: string;
  readonly script?: Script;
  readonly agent?: (ground: House['ground'], desk: ApprovalDesk) => Agent | Promise<Agent>;
  readonly platform?: MemoryPlatform;
  readonly others?: readonly Platform[];
  /** Instead of the one in memory. */
  readonly platforms?: (world: PlatformContext) => Promise<readonly Platform[]>;
  /** Lines of config.yaml. */
  readonly settings?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly approvalMs?: number;
  readonly onAsked?: (question: Question) => void;
}

const usage = { inputTokens: 1, outputTokens: 2, modelCalls: 3, toolCalls: 4 };

export function answered(text: string): AgentEvent {
  return { type: 'done', outcome: { kind: 'answered', text, usage } };
}

export function done(outcome: RunOutcome['kind']): AgentEvent {
  if (outcome === 'answered') return answered('');
  return {
    type: 'done',
    outcome:
      outcome === 'canceled'
        ? { kind: outcome, usage }
        : { kind: outcome, code: 'UNAVAILABLE_MODEL', text: 'failed', usage },
  };
}

/** Answers what was said. */
async function* echo(turn: Turn): AsyncGenerator<AgentEvent> {
  yield answered(`echo ${turn.text}`);
}

/** Resolves when the run is cancelled. */
export async function cancelled({ signal }: Turn): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
}

export async function openHouse(options: HouseOptions): Promise<House> {
  const { script = echo, platform = new MemoryPlatform(), approvalMs = 60_000 } = options;
  const home = options.home ?? (await newHome());
  const users = [USER, '3', '4'].map(id => `"telegram:${id}"`);
  const people = `gateway:\n  allowed_users: [${users.join(', ')}]\n`;
  const path = join(home, 'config.yaml');
  if (!existsSync(path)) await writePrivateFile(path, `${people}${options.settings ?? ''}`);
  const environment = { TERMINAL_ENV: 'bubblewrap', ...options.environment };
  const ground = await openGateway({ home, environment });
  const { world, sandboxes } = ground;
  const { store, clock, log } = world;
  const settings = await loadHermesConfig({ ...environment, HOME: home, HERMES_HOME: home });
  await store.people.decide({
    ...{ platform: platform.name, userId: OWNER, name: 'owner', role: 'owner' },
    ...{ standing: 'allowed', decidedBy: 'test' },
  });
  await store.people.see({ platform: platform.name, userId: OWNER }, { chat: OWNER });
  const desk = new ApprovalDesk({
    ...{ store, clock, timeoutMs: approvalMs },
    show: question => {
      options.onAsked?.(question);
      return gateway.showApproval(question);
    },
    allowAlways: async () => {},
  });
  const admission = new Admission({
    ...{ store, clock, log },
    rules: name => platformPeople(settings, name),
    owners: {
      send: card => gateway.sendToOwners(card),
      change: (places, card) => gateway.changeCards(places, card),
    },
    onApproved: () => void gateway.peopleChanged(),
  });
  const agent = (await options.agent?.(ground, desk)) ?? {
    run: (session: Session, turn: Turn) => script(turn, session),
    recover: async () => [],
    usage: async () => ({ ...usage, runs: 1, costMicros: null }),
  };
  const gate = new Gate({ desk, audit: store.audit, redact: world.redact });
  const policy = () => ({ mode: 'manual', deny: [], allowlist: [] }) as const;
  const redactor = { redact: world.redact, redactLong: async (text: string) => world.redact(text) };
  const door = openDoor(settings, { world, approvals: { gate, policy }, redactor });
  const gateway: Gateway = new Gateway({
    ...{ world, settings, home, admission, desk, agent, perform: performing({ door, sandboxes }) },
    platforms: (await options.platforms?.({ clock, log })) ?? [platform, ...(options.others ?? [])],
    model: 'test-model',
    warnings: [],
  });
  await gateway.start();
  return {
    ...{ home, gateway, platform, desk, ground },
    async crash() {
      await ground.drop();
    },
  };
}
