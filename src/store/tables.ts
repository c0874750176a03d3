// The columns of every table as TypeScript sees them, in camel case. Times are milliseconds since the epoch, JSON is text.
import type { Generated, Kysely } from 'kysely';
import type { SandboxState } from './sandbox-states.ts';

export interface Tables {
  installation: InstallationTable;
  sessions: SessionTable;
  sandboxes: SandboxTable;
  leases: LeaseTable;
  processes: ProcessTable;
  audit: AuditTable;
  people: PersonTable;
  inbox: InboxTable;
  outbox: OutboxTable;
  approvals: ApprovalTable;
  runs: RunTable;
  turns: TurnTable;
  begunCalls: BegunCallTable;
  pairings: PairingTable;
  approvalFailures: ApprovalFailureTable;
}

export type Database = Kysely<Tables>;

interface InstallationTable {
  slot: 1;
  id: string;
  createdAt: number;
  /** What `auto` has come to here. */
  backend: string | null;
  backendChosenAt: number | null;
  gatewayPid: number | null;
  gatewayStartedAt: number | null;
  /** Grows while the state is in use. */
  generation: Generated<number>;
  generationAt: Generated<number | null>;
}

export interface SessionTable {
  id: string;
  /** Names platform, chat, thread and, in groups, the person. One session at a time has it. */
  key: string;
  kind: 'messaging' | 'cli';
  platform: string;
  chat: string;
  thread: string | null;
  person: string | null;
  /** What an owner has switched this session to; null = as configured. */
  network: 'none' | 'open' | null;
  /** Since when its sandbox is lost, or may be, without the session having been told; null = it has. */
  lostAt: Generated<number | null>;
  /** Commands that ran on without their gateway and were ended, and that its chat has still to be told of. */
  cutOffCommands: Generated<number>;
  createdAt: number;
  activeAt: number;
  endedAt: number | null;
}

export interface SandboxTable {
  id: string;
  installation: string;
  /** Null while it waits in the warm pool, and of what a command of the CLI made for itself. */
  sessionId: string | null;
  backend: string;
  /** What the engine calls it; null until it says so. */
  name: string | null;
  state: SandboxState;
  whenIdle: 'suspend' | 'destroy';
  policyHash: string;
  policy: string;
  createdAt: number;
  stateSince: number;
  /** Since when nobody has held it; null while somebody does, and before it was ready. */
  idleSince: number | null;
  /** How long it was live before it was last suspended, and since when it is again; null while nothing of it runs. */
  liveMs: Generated<number>;
  liveSince: Generated<number | null>;
  /** When the step that is under way must be over. */
  deadline: number | null;
  /** The process life that has begun it. */
  stepBy: string | null;
  /** How often removing it has failed. */
  attempts: number;
  retryAt: number | null;
  problem: string | null;
  /** JSON; null until it is ready, and in rows of old versions. */
  enforcement: Generated<string | null>;
}

export interface LeaseTable {
  id: string;
  sandboxId: string;
  /** Null when the sandbox is no session's. */
  sessionId: string | null;
  /** The process life that holds it, so that a dead one's leases can be told apart. */
  holder: string;
  /** What it is held for, such as the id of a run. */
  purpose: string;
  takenAt: number;
  expiresAt: number;
}

export interface ProcessTable {
  /** Unique in its sandbox. */
  id: string;
  sandboxId: string;
  command: string;
  /** `ended`: it is over, and nobody saw how. */
  state: 'running' | 'exited' | 'signaled' | 'ended';
  /** The exit code, or the number of the signal. */
  code: number | null;
  startedAt: number;
  endedAt: number | null;
  /** When its end was told to the chat. */
  toldAt: number | null;
  /** The last lines of its output when it ended or was last checked, redacted. */
  lastOutput: string | null;
  /** How often its chat is told that it still runs; null = never. */
  checkIntervalMs: number | null;
  /** When it was last checked, until its chat has been told; null = nothing to tell. */
  progressAt: number | null;
}

export interface AuditTable {
  seq: Generated<number>;
  at: number;
  actor: string;
  sessionId: string | null;
  sandboxId: string | null;
  action: string;
  subject: string;
  outcome: string;
  details: string;
}

export interface PersonTable {
  platform: string;
  userId: string;
  name: string | null;
  role: 'owner' | 'user';
  standing: 'allowed' | 'denied';
  decidedBy: string;
  decidedAt: number;
  /** Where they were last seen in private; null = nowhere yet. */
  chat: Generated<string | null>;
}

export interface PairingTable {
  id: string;
  platform: string;
  userId: string;
  name: string;
  codeHash: string;
  event: string;
  /** `approved`: the message has still to be dealt with. */
  state: 'pending' | 'approved';
  decidedBy: string | null;
  createdAt: number;
  /** When the code was given out last. */
  askedAt: number;
  expiresAt: number;
}

export interface ApprovalFailureTable {
  platform: string;
  /** In a row. */
  failures: number;
  lastAt: number;
  lockedUntil: number | null;
}

export interface InboxTable {
  seq: Generated<number>;
  platform: string;
  chat: string;
  /** The platform's own id, unique in the chat. */
  messageId: string;
  sessionId: string;
  person: string;
  body: string;
  state: 'waiting' | 'taken' | 'done';
  runId: string | null;
  /** The cut-off run that goes on with it; null = a new run takes it. */
  resumes: Generated<string | null>;
  receivedAt: number;
  doneAt: number | null;
}

export interface OutboxTable {
  seq: Generated<number>;
  sessionId: string;
  runId: string | null;
  platform: string;
  chat: string;
  thread: string | null;
  body: string;
  state: 'waiting' | 'sending' | 'sent' | 'failed';
  attempts: number;
  /** How often a crash fell into its sending, so that it may have arrived already. */
  interrupted: number;
  dueAt: number;
  createdAt: number;
  sentAt: number | null;
  /** The platform's own id of the sent message. */
  sentId: string | null;
  problem: string | null;
}

export interface ApprovalTable {
  id: string;
  sessionId: string;
  sandboxId: string | null;
  runId: string;
  requester: string;
  command: string;
  findings: string;
  nonce: string;
  /** `closed`: the run that asked has ended. */
  state: 'pending' | 'approved' | 'denied' | 'expired' | 'closed';
  scope: 'once' | 'session' | 'always' | null;
  answeredBy: string | null;
  answeredAt: number | null;
  reason: string | null;
  askedAt: number;
  expiresAt: number;
}

export interface RunTable {
  id: string;
  sessionId: string;
  /** The process life that runs it. */
  holder: string;
  requester: string;
  /** `cut-off`: the process that ran it has died. */
  state: 'running' | 'answered' | 'canceled' | 'failed' | 'cut-off';
  /** Whether a tool call of it was begun. */
  startedTool: 0 | 1;
  inputTokens: number;
  outputTokens: number;
  modelCalls: number;
  toolCalls: number;
  costMicros: number | null;
  contextTokens: number | null;
  startedAt: number;
  endedAt: number | null;
}

/** Without an answer in the history yet. */
export interface BegunCallTable {
  runId: string;
  /** `*`: all of the run, because an older version did not tell them apart. */
  callId: string;
  begunAt: number;
}

export interface TurnTable {
  seq: Generated<number>;
  sessionId: string;
  runId: string;
  kind: 'message' | 'summary' | 'trim';
  /** The last message that a summary or a trim is about. */
  covers: number | null;
  body: string;
  createdAt: number;
}
