// The pages of this installation's gateway, over its own state and sandboxes.
import { HermesError } from '../base/errors.ts';
import type { Redactor } from '../base/redact/redactor.ts';
import type { CommandContext } from '../cli/command.ts';
import { type Dashboard, openDashboard } from '../dashboard/dashboard.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { sandboxesByState } from '../gateway/process/metrics.ts';
import { seenProcesses } from '../sessions/seen-processes.ts';
import type { Serving } from '../sessions/serve.ts';
import type { SandboxWorld } from '../sessions/world.ts';

export interface OpenPagesOptions {
  readonly context: Pick<CommandContext, 'environment' | 'clock' | 'config'>;
  readonly world: SandboxWorld;
  readonly serving: Serving;
  readonly redactor: Redactor;
  readonly version: string;
  /** They need each other; undefined until it is made. */
  readonly heart: () => Gateway | undefined;
}

export function openPages({
  context,
  world,
  serving,
  redactor,
  version,
  heart,
}: OpenPagesOptions): Dashboard {
  const { environment, clock, config } = context;
  const running = (): Gateway => {
    const made = heart();
    if (made) return made;
    throw new HermesError('UNAVAILABLE_NOT_RUNNING', 'The gateway is still starting. Try again.');
  };
  return openDashboard({
    ...{ environment, clock, config, world, redactor, version, log: world.log },
    answerApproval: async (who, id, decision) => running().answerApproval(id, decision, who),
    perform: async (session, deed, by) => running().perform(session, deed, by),
    processes: id => seenProcesses(serving.sandboxes.life, id),
    async measure() {
      const states = await sandboxesByState(world.store);
      const { runs, counters } = heart()?.status() ?? { runs: { active: 0, waiting: 0 } };
      return {
        at: clock.now(),
        sandboxes: (states.get('ready') ?? 0) + (states.get('leased') ?? 0),
        runs: runs.active + runs.waiting,
        messages: counters?.['messages_received'] ?? 0,
        approvals: (await world.store.approvals.pending()).length,
        memoryBytes: process.memoryUsage.rss(),
      };
    },
  });
}
