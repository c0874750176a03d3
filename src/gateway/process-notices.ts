// Tells a chat when something that it left running in the background is over; each once.
import type { ProcessRecord } from '../store/processes.ts';
import type { Session } from '../store/sessions.ts';
import { addressOfSession } from './address.ts';
import type { Delivery } from './delivery.ts';
import { visible } from './foreign-text.ts';
import type { GatewayWorld } from './parts.ts';

const LONGEST_COMMAND = 200;

/** Those of sessions without a chat are left to whoever looks at them, and not looked at here again. */
export async function tellEndedProcesses(world: GatewayWorld, delivery: Delivery): Promise<void> {
  const { store } = world;
  for (const process of await store.processes.untold()) {
    const entry = await store.ledger.find(process.sandboxId);
    const session = entry?.sessionId ? await store.sessions.find(entry.sessionId) : undefined;
    if (session?.kind === 'messaging') await tell(process, session, delivery);
    else await store.processes.markTold(process);
  }
}

async function tell(process: ProcessRecord, session: Session, delivery: Delivery): Promise<void> {
  const to = { address: addressOfSession(session), sessionId: session.id };
  await delivery.sendWith([{ to, bodies: [{ kind: 'text', text: endText(process) }] }], ({ processes }) =>
    processes.markTold(process),
  );
}

function endText({ id, command, state, code }: ProcessRecord): string {
  const [line = ''] = visible(command).split('\n');
  const shown = line.length > LONGEST_COMMAND ? `${line.slice(0, LONGEST_COMMAND).toWellFormed()}…` : line;
  const how =
    state === 'exited'
      ? `ended with exit code ${code}`
      : state === 'signaled'
        ? `was ended by signal ${code}`
        : 'is over; nobody saw how';
  return `Background process ${id} (\`${shown.replaceAll('`', 'ˋ')}\`) ${how}.`;
}
