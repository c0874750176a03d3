// A door over a real store and real sandboxes, called as the loop would call it.
import { ToolDoor } from '../../../src/agent/door.ts';
import { sandboxTerms } from '../../../src/agent/sandbox-terms.ts';
import type { ApprovalEvent, CallContext } from '../../../src/agent/tool-caller.ts';
import { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { Gate } from '../../../src/approvals/gate.ts';
import type { Question } from '../../../src/approvals/question.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { createRedactor } from '../../../src/base/redact/redactor.ts';
import type { ToolAnswer } from '../../../src/providers/provider.ts';
import type { Policy } from '../../../src/risk/decide.ts';
import { sendableFile } from '../../../src/sessions/attachments.ts';
import type { SandboxLease } from '../../../src/sessions/lease.ts';
import { createTools } from '../../../src/tools/all-tools.ts';
import type { OutgoingFile, Tool } from '../../../src/tools/tool.ts';
import type { Gateway } from '../sessions/world.ts';

export const SECRET = 'correct-horse-battery-staple-4711';

/** How the owner answers; absent = there is nobody. */
export type Owner = (question: Question) => 'yes' | 'session' | 'always' | 'no' | 'silent';

export interface DoorOptions {
  readonly chat?: string;
  readonly owner?: Owner;
  readonly policy?: Partial<Policy>;
  readonly extraTools?: readonly Tool[];
  /** `nobody`: no chat, no files, no answers. */
  readonly chatWith?: 'person' | 'nobody';
}

export interface OpenDoor {
  readonly door: ToolDoor;
  readonly desk: ApprovalDesk;
  readonly lease: SandboxLease;
  readonly asked: readonly Question[];
  readonly events: readonly ApprovalEvent[];
  readonly sent: readonly OutgoingFile[];
  readonly live: readonly string[];
  readonly logged: readonly string[];
  call(name: string, input: unknown, context?: Partial<CallContext>): Promise<ToolAnswer>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SCOPES = { yes: 'once', session: 'session', always: 'always' } as const;

export async function openDoor(gateway: Gateway, options: DoorOptions = {}): Promise<OpenDoor> {
  const { world, sandboxes } = gateway;
  const { store } = world;
  const { chat = 'tools', owner, policy = {}, extraTools = [], chatWith = 'person' } = options;
  const session = await gateway.session(chat);
  const lease = await sandboxes.lease(session, { purpose: 'run1', actor: 'test:1' });
  const { redact } = createRedactor({ secrets: [SECRET], shapes: 'on' });
  const asked: Question[] = [];
  const [events, sent, live, logged, always]: [
    ApprovalEvent[],
    OutgoingFile[],
    string[],
    string[],
    string[],
  ] = [[], [], [], [], []];
  const desk: ApprovalDesk = new ApprovalDesk({
    store,
    clock: systemClock,
    timeoutMs: 60_000,
    show: async question => {
      asked.push(question);
      const answer = owner?.(question);
      if (answer === undefined) return false;
      if (answer === 'no')
        await desk.answer(
          question.id,
          { who: 'test:owner', isOwner: true },
          { kind: 'deny', reason: 'not today' },
        );
      else if (answer !== 'silent')
        await desk.answer(
          question.id,
          { who: 'test:owner', isOwner: true },
          { kind: 'approve', scope: SCOPES[answer] },
        );
      return true;
    },
    allowAlways: async command => {
      always.push(command);
    },
  });
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    clock: systemClock,
    redact,
    sendableFile,
    keepsShell: async (of, sandboxId) => (await termsOf(of, sandboxId)).keepsShell,
  });
  const door = new ToolDoor({
    tools: [...tools, ...extraTools],
    gate: new Gate({ desk, audit: store.audit, redact }),
    termsOf,
    approvals: () => ({
      mode: 'manual',
      deny: [],
      ...policy,
      allowlist: [...(policy.allowlist ?? []), ...always],
    }),
    audit: store.audit,
    redact,
    log: createLog({
      level: 'info',
      destination: { write: line => void logged.push(line) },
      redact,
      now: systemClock.now,
    }),
  });
  const person = {
    sendFile: async (file: OutgoingFile) => {
      sent.push(file);
      return `Delivered ${file.name}, ${file.bytes.length} bytes.`;
    },
    askUser: async (question: string) => `you asked ${question}`,
  };
  const base = {
    session,
    runId: 'run1',
    requester: 'test:1',
    signal: new AbortController().signal,
    sandbox: async () => lease,
    onOutput: (text: string) => void live.push(text),
    mostFileBytes: 1000,
    ...(chatWith === 'nobody' ? {} : person),
    onApproval: (event: ApprovalEvent) => void events.push(event),
  };
  const call: OpenDoor['call'] = (name, input, context = {}) => {
    const whole: CallContext = {
      ...base,
      call: (inner, { signal = base.signal } = {}) =>
        door.call(inner, { ...whole, signal, caller: 'program' }),
      ...context,
    };
    return door.call(
      { id: 'c1', name, input: typeof input === 'string' ? input : JSON.stringify(input) },
      whole,
    );
  };
  return {
    ...{ door, desk, lease, asked, events, sent, live, logged, call },
    [Symbol.asyncDispose]: () => lease.release(),
  };
}

/** What a model reads, without the mark of data around it. */
export function plain({ text }: ToolAnswer): string {
  return text.replace(/^\[data (\S+) from \w+\]\n([\s\S]*)\n\[end of data \1\]/, '$2');
}
