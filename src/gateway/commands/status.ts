// `/status`: the truth about this conversation in a few lines.

import { decidedPolicy } from '../../sessions/decide.ts';
import { outlookOf } from '../../sessions/drift-words.ts';
import { withoutHost } from '../../sessions/explain.ts';
import { limitsText } from '../../sessions/limit-words.ts';
import { driftOf, driftText, type LiveTerms, liveTerms, policyOrNone } from '../../sessions/live-terms.ts';
import type { SandboxPolicy } from '../../sessions/policy.ts';
import type { Decided } from '../../sessions/policy-input.ts';
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

export async function statusText({ parts, runs, session, links, by }: CommandContext): Promise<string> {
  const { world, model } = parts;
  // What a warning quotes of the settings is for owners.
  const warnings = by.role === 'owner' ? parts.warnings : [];
  const sandbox = await world.store.ledger.findLive(session.id);
  // As it was made, while there is one; what nothing can be decided for has no status without one.
  const decided = sandbox ? await policyOrNone(world, session) : await decidedPolicy(world, session);
  const policy = decided && by.role !== 'owner' ? withoutHost(decided) : decided;
  const terms = sandbox ? liveTerms(world, sandbox) : decidedTerms(policy);
  const known = await world.store.ledger.enforcements();
  const limits = limitsText({ policy: decided, entry: sandbox, known });
  const processes = await runningProcesses(world.store, session.id);
  const now = world.clock.now();
  const run = runs.activeIn(session.id);
  const busy = run ? `working for ${duration(now - run.startedAt)}` : 'idle';
  const waiting = runs.waitingIn(session.id);
  const platforms = links.states().map(({ platform, state }) => `${platform} ${state.kind}`);
  return [
    `Now: ${busy}${waiting > 0 ? `, ${waiting} waiting` : ''}`,
    `Model: ${model ?? 'none; `!command` runs in the sandbox'}`,
    ...termLines(terms, policy),
    ...(limits === undefined ? [] : [`Limits: ${limits}`]),
    `Sandbox: ${sandbox ? `${sandbox.id}, ${sandbox.state}${lifetime(sandbox, policy, now)}` : 'none yet'}`,
    ...(sandbox ? driftLines(sandbox, decided, processes.length) : []),
    `Processes: ${processes.length === 0 ? 'none' : processes.map(named).join(', ')}`,
    `Platforms: ${platforms.join(', ')}`,
    ...warningsOf([terms, policy], warnings).map(text => `\n${text}`),
  ].join('\n');
}

type Terms = Omit<LiveTerms, 'network'> & { readonly network: string | null };

function decidedTerms(policy: SandboxPolicy | undefined): Terms {
  const { isolation = 'none', image, network, backend } = policy ?? {};
  return {
    ...{ backend: backend?.value ?? 'none', isolation },
    ...{ image: image?.value ?? null, network: network?.value ?? null },
  };
}

/** Who decided is said of what the settings still say. */
function termLines(
  { backend, image, isolation, network }: Terms,
  policy: SandboxPolicy | undefined,
): string[] {
  const by = (part: Decided<unknown> | undefined, value: unknown): string =>
    part?.value === value ? ` (${part?.origin})` : '';
  return [
    `Backend: ${backend}${by(policy?.backend, backend)}`,
    ...(image === null ? [] : [`Image: ${image}`]),
    `Isolation: ${isolation}`,
    `Network: ${network ?? 'unknown'}${by(policy?.network, network)}`,
  ];
}

function driftLines(sandbox: LedgerEntry, policy: SandboxPolicy | undefined, running: number): string[] {
  if (!policy) return ['Settings: nothing would run by them any more; /sandbox says why.'];
  const drift = driftOf(sandbox, policy);
  if (drift.length === 0) return [];
  return [
    `Settings: changed since it was made (${driftText(drift)}); ${outlookOf(sandbox, policy, running)}.`,
  ];
}

/** What the start said, and what a setting that was changed since, or a sandbox from before, makes true. */
function warningsOf(
  terms: readonly ({ readonly isolation: string } | undefined)[],
  said: readonly string[],
): readonly string[] {
  const isLocal = terms.some(each => each?.isolation === 'none');
  return [...said, ...(isLocal && !said.includes(LOCAL_WARNING) ? [LOCAL_WARNING] : [])];
}

function lifetime(
  { state, idleSince, policy: made }: LedgerEntry,
  decided: SandboxPolicy | undefined,
  now: number,
): string {
  // As the sweeper goes by.
  const policy = 'lifetimeSeconds' in (made as object) ? (made as SandboxPolicy) : decided; // as SandboxLife wrote it
  if (!policy) return '';
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
