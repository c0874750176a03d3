// Approvals of this installation: the desk, the gate before it, and the owner's lists as they are now.
import { ApprovalDesk, type DeskOptions } from '../approvals/desk.ts';
import { Gate, type GateParts } from '../approvals/gate.ts';
import type { AskModel } from '../approvals/smart.ts';
import type { Isolation } from '../backends/backend.ts';
import { allowCommand, type HermesConfig } from '../compose.ts';
import type { Provider } from '../providers/provider.ts';
import type { Policy } from '../risk/decide.ts';
import type { SandboxWorld } from '../sessions/world.ts';

export interface Approvals {
  readonly desk: ApprovalDesk;
  readonly gate: Gate;
  readonly policy: () => Policy;
}

export interface OpenApprovals extends Approvals {
  /** What runs from now on is asked about again; the file of the configuration is another's to change. */
  readonly revokeAllowed: (entry: string) => void;
}

export interface ApprovalParts {
  readonly world: SandboxWorld;
  /** Pre-sorts in mode `smart`; without a model everything goes to a person. */
  readonly provider: Provider | undefined;
  readonly show: DeskOptions['show'];
  /** Where the commands run that are asked about. */
  readonly isolation: Isolation;
  /** Told what runs without a question on the word of whoever sits there; absent = nobody gave it. */
  readonly unasked?: GateParts['unasked'];
}

export function openApprovals(
  config: HermesConfig,
  { world, provider, show, unasked, isolation }: ApprovalParts,
): OpenApprovals {
  const { store, clock, redact } = world;
  const mode = config.get('approvals.mode');
  const deny = config.get('approvals.deny');
  let allowlist = config.get('command_allowlist');
  const desk = new ApprovalDesk({
    ...{ store, clock, show },
    timeoutMs: config.get('approvals.timeout') * 1000,
    heeds: isolation === 'none' ? 'this process' : 'the store',
    allowAlways: async (command, findings) => {
      allowlist = [...allowlist, ...(await allowCommand(config, command, findings))];
    },
  });
  const isSmart = mode === 'smart' && provider !== undefined;
  const gate = new Gate({
    ...{ desk, redact, audit: store.audit },
    ...(isSmart ? { askModel: askerOf(provider) } : {}),
    ...(unasked ? { unasked } : {}),
  });
  const ports = portsOf(config);
  return {
    ...{ desk, gate },
    policy: () => ({ mode, deny, allowlist, ports }),
    revokeAllowed: entry => {
      allowlist = allowlist.filter(each => each !== entry);
    },
  };
}

/** Every port that this installation listens on, whichever part of it does. */
function portsOf(config: HermesConfig): readonly number[] {
  return config
    .entries()
    .flatMap(({ key, value }) =>
      /(?:^|[._])port$/.test(key) && !key.startsWith('terminal.') && typeof value === 'number' && value > 0
        ? [value]
        : [],
    );
}

function askerOf(provider: Provider): AskModel {
  return async ({ system, user }, signal) => {
    let answer = '';
    const request = { system, messages: [{ role: 'user', text: user } as const], tools: [] };
    for await (const event of provider.stream(request, signal ? { signal } : {}))
      if (event.type === 'text') answer += event.delta;
    return answer;
  };
}
