// A door over a real store and real sandboxes, called as the loop would call it.
import { ToolDoor } from '../../../src/agent/door.ts';
import { sandboxTerms } from '../../../src/agent/sandbox-terms.ts';
import type { ApprovalEvent, CallContext } from '../../../src/agent/tool-caller.ts';
import { ApprovalDesk } from '../../../src/approvals/desk.ts';
import { Gate } from '../../../src/approvals/gate.ts';
import type { Question } from '../../../src/approvals/question.ts';
import type { AskModel } from '../../../src/approvals/smart.ts';
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
  /** Mode `smart`. */
  readonly askModel?: AskModel;
  readonly policy?: Partial<Policy>;
  /** Of a time limit; absent = 3600. */
  readonly longestSeconds?: number;
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

/** What tests look at afterwards. */
function newRecords() {
  return {
    asked: [] as Question[],
    events: [] as ApprovalEvent[],
    sent: [] as OutgoingFile[],
    live: [] as string[],
    logged: [] as string[],
    always: [] as string[],
  };
}

type Records = ReturnType<typeof newRecords>;

function deskOf({ world }: Gateway, owner: Owner | undefined, { asked, always }: Records): ApprovalDesk {
  const by = { who: 'test:owner', isOwner: true };
  const desk: ApprovalDesk = new ApprovalDesk({
    store: world.store,
    clock: systemClock,
    timeoutMs: 60_000,
    show: async question => {
      asked.push(question);
      const answer = owner?.(question);
      if (answer === undefined) return false;
      if (answer === 'no') await desk.answer(question.id, by, { kind: 'deny', reason: 'not today' });
      else if (answer !== 'silent')
        await desk.answer(question.id, by, { kind: 'approve', scope: SCOPES[answer] });
      return true;
    },
    allowAlways: async command => {
      always.push(command);
    },
  });
  return desk;
}

function doorOf({ world }: Gateway, desk: ApprovalDesk, options: DoorOptions, records: Records): ToolDoor {
  const { policy = {}, extraTools = [], askModel } = options;
  const { audit, begunCalls } = world.store;
  const { redact, redactLong } = createRedactor({ secrets: [SECRET], shapes: 'on' });
  const termsOf = sandboxTerms(world);
  const destination = { write: (line: string) => void records.logged.push(line) };
  const tools = createTools({
    clock: systemClock,
    redact: redactLong,
    sendableFile,
    ...(options.longestSeconds === undefined ? {} : { longestSeconds: options.longestSeconds }),
    keepsShell: async (of, sandboxId) => (await termsOf(of, sandboxId)).keepsShell,
  });
  return new ToolDoor({
    tools: [...tools, ...extraTools],
    gate: new Gate({ desk, audit, redact, ...(askModel ? { askModel } : {}) }),
    ...{ clock: systemClock, termsOf, audit, begunCalls, redact, redactLong },
    approvals: () => ({
      ...{ mode: 'manual', deny: [], ...policy },
      allowlist: [...(policy.allowlist ?? []), ...records.always],
    }),
    log: createLog({ level: 'info', destination, redact, now: systemClock.now }),
  });
}

export async function openDoor(gateway: Gateway, options: DoorOptions = {}): Promise<OpenDoor> {
  const { chat = 'tools', owner, chatWith = 'person' } = options;
  const records = newRecords();
  const session = await gateway.session(chat);
  const lease = await gateway.sandboxes.lease(session, { purpose: 'run1', actor: 'test:1' });
  const desk = deskOf(gateway, owner, records);
  const door = doorOf(gateway, desk, options, records);
  const person = {
    sendFile: async (file: OutgoingFile) => {
      records.sent.push(file);
      return `Delivered ${file.name}, ${file.bytes.length} bytes.`;
    },
    askUser: async (question: string) => `you asked ${question}`,
  };
  const base = {
    ...{ session, runId: 'run1', requester: 'test:1', mostFileBytes: 1000 },
    signal: new AbortController().signal,
    sandbox: async () => lease,
    onOutput: (text: string) => void records.live.push(text),
    onApproval: (event: ApprovalEvent) => void records.events.push(event),
    ...(chatWith === 'nobody' ? {} : person),
  };
  const call: OpenDoor['call'] = async (name, input, context = {}) => {
    const whole: CallContext = {
      ...base,
      call: (inner, { signal = base.signal } = {}) =>
        door.call(inner, { ...whole, signal, caller: 'program' }),
      ...context,
    };
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return untimed(await door.call({ id: 'c1', name, input: text }, whole));
  };
  return { ...records, ...{ door, desk, lease, call }, [Symbol.asyncDispose]: () => lease.release() };
}

/** A busy machine takes longer, and then the answer says so. */
function untimed(answer: ToolAnswer): ToolAnswer {
  return { ...answer, text: answer.text.replace(/(Exit code \d+) after [\d.]+ s\b/g, '$1') };
}

/** What a model reads, without the mark of data around it. */
export function plain({ text }: ToolAnswer): string {
  return text.replace(/^\[data (\S+) from \w+\]\n([\s\S]*)\n\[end of data \1\]/, '$2');
}
