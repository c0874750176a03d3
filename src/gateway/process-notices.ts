// Tells a chat of what it left running in the background: how it goes on where the agent asked for it, and the end once.
import { fenced } from '../base/code-fence.ts';
import type { ProcessRecord } from '../store/processes.ts';
import type { Repositories } from '../store/store.ts';
import { addressOfSession } from './address.ts';
import type { Delivery } from './delivery.ts';
import { visible } from './foreign-text.ts';
import type { GatewayParts } from './parts.ts';

const LONGEST_COMMAND = 200;

type NoticeMode = 'all' | 'result' | 'error' | 'off';

/** Those of sessions without a chat, and those that the setting leaves out, are not looked at here again. */
export async function tellProcesses(
  { world, settings }: Pick<GatewayParts, 'world' | 'settings'>,
  delivery: Delivery,
): Promise<void> {
  const { processes } = world.store;
  const mode = settings.get('gateway.background_notifications');
  for (const process of await processes.untoldProgress()) {
    const text = mode === 'all' ? progressText(process, world.clock.now()) : undefined;
    await tell(process, { text, mark: inside => inside.processes.markProgressTold(process) });
  }
  for (const process of await processes.untold()) {
    const text = tellsEnd(mode, process) ? endText(process) : undefined;
    await tell(process, { text, mark: inside => inside.processes.markTold(process) });
  }

  async function tell(process: ProcessRecord, { text, mark }: Notice): Promise<void> {
    const { store } = world;
    const entry = await store.ledger.find(process.sandboxId);
    const session = entry?.sessionId ? await store.sessions.find(entry.sessionId) : undefined;
    if (text === undefined || session?.kind !== 'messaging') return mark(store);
    const to = { address: addressOfSession(session), sessionId: session.id };
    await delivery.sendWith([{ to, bodies: [{ kind: 'text', text }] }], mark);
  }
}

interface Notice {
  /** Undefined = nothing is told. */
  readonly text: string | undefined;
  readonly mark: (inside: Repositories) => Promise<void>;
}

function tellsEnd(mode: NoticeMode, { state, code }: Pick<ProcessRecord, 'state' | 'code'>): boolean {
  if (mode === 'error') return state !== 'exited' || code !== 0;
  return mode !== 'off';
}

function endText(process: ProcessRecord): string {
  const { state, code } = process;
  const how =
    state === 'exited'
      ? `ended with exit code ${code}`
      : state === 'signaled'
        ? `was ended by signal ${code}`
        : 'is over; nobody saw how';
  return `${nameOf(process)} ${how}.${outputOf(process)}`;
}

function progressText(process: ProcessRecord, now: number): string {
  const minutes = Math.floor((now - process.startedAt) / 60_000);
  const since = minutes < 1 ? 'less than a minute' : `${minutes} min`;
  return `${nameOf(process)} is still running (${since}).${outputOf(process)}`;
}

function nameOf({ id, command }: ProcessRecord): string {
  const [line = ''] = visible(command).split('\n');
  const shown = line.length > LONGEST_COMMAND ? `${line.slice(0, LONGEST_COMMAND).toWellFormed()}…` : line;
  return `Background process ${id} (\`${shown.replaceAll('`', 'ˋ')}\`)`;
}

/** Written by whatever ran there, so that no markup in it counts. */
function outputOf({ lastOutput }: ProcessRecord): string {
  return lastOutput ? ` Last output:\n${fenced(visible(lastOutput))}` : '';
}
