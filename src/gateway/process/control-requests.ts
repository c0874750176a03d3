// What the running gateway does for each request of a command.
import { HermesError } from '../../base/errors.ts';
import { destroyByHand, suspendByHand } from '../../sessions/retire-by-hand.ts';
import type { Serving } from '../../sessions/serve.ts';
import type { SandboxWorld } from '../../sessions/world.ts';
import type { ControlRequest } from './control-protocol.ts';
import type { Heart } from './heart.ts';
import type { GatewayStatus } from './status.ts';

export interface ControlParts {
  readonly world: SandboxWorld;
  readonly serving: Serving;
  readonly heart: Heart | undefined;
  readonly status: () => Promise<GatewayStatus>;
  /** The words of the command line that started it. */
  readonly words: readonly string[];
  readonly onStopAsked: (purpose: 'end' | 'restart') => void;
}

export function controlRequests(parts: ControlParts): (request: ControlRequest) => Promise<unknown> {
  return async request => {
    if (parts.serving.start.policy.isolation === 'none') refuseShared(request.verb);
    switch (request.verb) {
      case 'status':
        return parts.status();
      case 'stop': {
        const { pid, supervisor } = await parts.status();
        parts.onStopAsked(request.purpose);
        return { pid, supervisor, words: parts.words };
      }
      case 'answer-approval':
        return able(parts.heart?.answerApproval?.(request.approval, request.decision));
      case 'people-changed':
        await parts.heart?.peopleChanged?.();
        return null;
      case 'revoke-allowed':
        parts.heart?.revokeAllowed?.(request.entry);
        return null;
      case 'claim':
        return { code: (await able(parts.heart?.openClaim?.())) ?? null };
      case 'change-sandbox':
        return changeSandbox(parts, request.sandbox, request.action);
      case 'invite':
        return able(parts.heart?.connection?.(request.platform)?.invite?.(request.person));
    }
  };
}

/** What a command of a chat could use to free itself, and what to do instead. */
const SHARED: Readonly<Partial<Record<ControlRequest['verb'], string>>> = {
  'answer-approval': 'Answer in the chat or on the page.',
  invite: '`hermes gateway restart` in a terminal prints a link, and web.password is another way in.',
  claim: '`hermes gateway restart` in a terminal prints a code.',
  stop: 'Send its process SIGTERM.',
};

/** Where commands of chats run as the user of the gateway, nobody can tell who asks over the socket. */
function refuseShared(verb: ControlRequest['verb']): void {
  const instead = SHARED[verb];
  if (instead === undefined) return;
  throw new HermesError(
    'DENIED_ACTION',
    `Chats run their commands on this machine as the user of the gateway, so the request could come from one of them. ${instead}`,
  );
}

/** Its own connection to the sandbox is used, and its place is free at once. */
async function changeSandbox(
  { world, serving: { sandboxes } }: ControlParts,
  id: string,
  action: 'suspend' | 'destroy',
): Promise<null> {
  const entry = await world.store.ledger.find(id);
  if (!entry) throw new HermesError('USAGE_UNKNOWN_ID', `There is no sandbox ${id}.`);
  await (action === 'suspend' ? suspendByHand : destroyByHand)(world, entry, sandboxes.life);
  sandboxes.forgetPlace(id);
  sandboxes.makeRoom();
  return null;
}

async function able<T>(done: Promise<T> | undefined): Promise<T> {
  if (done) return done;
  throw new HermesError('USAGE_UNKNOWN_COMMAND', 'The running gateway has nothing that could do this.');
}
