// `/status`: the truth about this conversation in a few lines.
import { decidedPolicy } from '../../sessions/decide.ts';
import type { SandboxPolicy } from '../../sessions/policy.ts';
import { LOCAL_WARNING } from '../../sessions/start.ts';
import type { LedgerEntry } from '../../store/ledger.ts';
import type { ProcessRecord } from '../../store/processes.ts';
import type { Store } from '../../store/store.ts';
import type { CommandContext } from './command.ts';

/** Background processes of the session that still run. */
export async function runningProcesses(store: Store, sessionId: string): Promise<readonly ProcessRecord[]> {
  const sandbox = await store.ledger.findLive(sessionId);
  if (!sandbox) return [];
  return (await store.processes.list(sandbox.id)).filter(({ state }) => state === 'running');
}

export async function statusText({ parts, runs, session, links }: CommandContext): Promise<string> {
  const { world, model, warnings } = parts;
  const policy = await decidedPolicy(world, session);
  const sandbox = await world.store.ledger.findLive(session.id);
  const processes = await runningProcesses(world.store, session.id);
  const now = world.clock.now();
  const run = runs.activeIn(session.id);
  const busy = run ? `working for ${duration(now - run.startedAt)}` : 'idle';
  const waiting = runs.waitingIn(session.id);
  const platforms = links.states().map(({ platform, state }) => `${platform} ${state.kind}`);
  return [
    `Now: ${busy}${waiting > 0 ? `, ${waiting} waiting` : ''}`,
    `Model: ${model ?? 'none; `!command` runs in the sandbox'}`,
    `Backend: ${policy.backend.value} (${policy.backend.origin})`,
    ...(policy.image.value === null ? [] : [`Image: ${policy.image.value}`]),
    `Isolation: ${policy.isolation}`,
    `Network: ${policy.network.value} (${policy.network.origin})`,
    `Sandbox: ${sandbox ? `${sandbox.id}, ${sandbox.state}${lifetime(sandbox, policy, now)}` : 'none yet'}`,
    `Processes: ${processes.length === 0 ? 'none' : processes.map(named).join(', ')}`,
    `Platforms: ${platforms.join(', ')}`,
    ...warningsOf(policy, warnings).map(text => `\n${text}`),
  ].join('\n');
}

/** What the start said, and what a setting that was changed since makes true. */
function warningsOf({ isolation }: SandboxPolicy, said: readonly string[]): readonly string[] {
  const missing = isolation === 'none' && !said.includes(LOCAL_WARNING) ? [LOCAL_WARNING] : [];
  return [...said, ...missing];
}

function lifetime({ state, idleSince }: LedgerEntry, policy: SandboxPolicy, now: number): string {
  const after = policy.persistent.value ? 'suspended' : 'removed';
  if (state === 'ready' && idleSince !== null) {
    const left = idleSince + policy.lifetimeSeconds.value * 1000 - now;
    return `, ${after} in ${duration(Math.max(0, left))} unless it is used`;
  }
  return `, ${after} after ${duration(policy.lifetimeSeconds.value * 1000)} without use`;
}

function named({ id, command }: ProcessRecord): string {
  return `${id} (${command.split('\n')[0]?.slice(0, 60)})`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
