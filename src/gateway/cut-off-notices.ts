// Tells a chat when commands were still running in its sandbox although their gateway was gone; each once.
import { addressOfSession } from './address.ts';
import type { Delivery } from './delivery.ts';
import type { GatewayWorld } from './parts.ts';

/** Sessions without a chat hear of it with the result of their next command. */
export async function tellCutOff({ store }: Pick<GatewayWorld, 'store'>, delivery: Delivery): Promise<void> {
  for (const session of await store.sessions.withCutOff()) {
    const { id, kind, cutOffCommands } = session;
    if (kind !== 'messaging') {
      await store.sessions.markCutOffTold(id, cutOffCommands);
      continue;
    }
    const to = { address: addressOfSession(session), sessionId: id };
    const body = { kind: 'text', text: cutOffText(cutOffCommands) } as const;
    await delivery.sendWith([{ to, bodies: [body] }], ({ sessions }) =>
      sessions.markCutOffTold(id, cutOffCommands),
    );
  }
}

function cutOffText(count: number): string {
  return count === 1
    ? 'A command was still running when I stopped. It was ended, with everything it had started; background jobs go on.'
    : `${count} commands were still running when I stopped. They were ended, with everything they had started; background jobs go on.`;
}
