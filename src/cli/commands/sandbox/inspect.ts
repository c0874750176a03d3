// hermes sandbox inspect: everything that the ledger knows of one sandbox.
import { type Cost, costsOf } from '../../../sessions/cost.ts';
import { outlookOf } from '../../../sessions/drift-words.ts';
import { isKeptByHand } from '../../../sessions/kept-by-hand.ts';
import { policyHash, resolveSandboxPolicy, type SandboxPolicy } from '../../../sessions/policy.ts';
import type { Decided, SessionTraits } from '../../../sessions/policy-input.ts';
import { describeLease } from '../../../sessions/retire-by-hand.ts';
import type { SandboxWorld } from '../../../sessions/world.ts';
import type { Lease } from '../../../store/leases.ts';
import type { LedgerEntry } from '../../../store/ledger.ts';
import type { ProcessRecord } from '../../../store/processes.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { findSandbox } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';
import { costText, limitsText, plainLine, shortened, spanText, timeText } from '../wording.ts';

interface Inspection extends LedgerEntry {
  /** The settings have changed since it was made. */
  readonly hasDrifted: boolean;
  /** What becomes of it then; null when they have not. */
  readonly outlook: string | null;
  /** Empty where nothing is billed. */
  readonly costs: readonly Cost[];
  readonly leases: readonly Lease[];
  readonly processes: readonly ProcessRecord[];
}

export const sandboxInspect = defineCommand({
  doc: 'Shows one sandbox: its state, session, the policy that it was made by with the origin of every part, who uses it, and its background processes. Asks no engine and does not wake it.',
  flags: {},
  args: [{ name: 'id', doc: 'id of the sandbox, or the beginning of it' }],
  examples: [
    ['sandbox inspect k3v9', 'by the first characters of its id'],
    ['sandbox inspect k3v9 --json', 'for programs'],
  ],
  run({ args }, context): Promise<Inspection> {
    return withWorld(context, args.id, async ({ world }) => {
      const { store } = world;
      const entry = await findSandbox(store, args.id);
      const [leases, processes] = await Promise.all([
        store.leases.list(entry.id),
        store.processes.list(entry.id),
      ]);
      const costs = costsOf([entry], world.facts, context.clock.now());
      const outlook = await outlookNow(world, entry);
      return { ...entry, hasDrifted: outlook !== null, outlook, costs, leases, processes };
    });
  },
  render: renderInspection,
});

async function outlookNow(
  { store, config, facts }: SandboxWorld,
  entry: LedgerEntry,
): Promise<string | null> {
  if (entry.state === 'gone') return null;
  const { backend: recorded } = await store.installation.read();
  const session = entry.sessionId === null ? undefined : await store.sessions.find(entry.sessionId);
  if (session && isKeptByHand(session)) return null;
  const traits: SessionTraits = session ?? { kind: 'messaging' };
  const decision = resolveSandboxPolicy(config, traits, { backends: facts, recorded });
  if (decision.kind !== 'decided' || policyHash(decision.policy) === entry.policyHash) return null;
  return outlookOf(entry, decision.policy);
}

/** How each part of the policy is called and written. */
function policyRows(policy: Partial<SandboxPolicy>): string[][] {
  const row = <T>(title: string, part: Decided<T> | undefined, text: (value: T) => string): string[][] =>
    part ? [[title, text(part.value), part.origin]] : [];
  const list = (values: readonly string[]): string => (values.length === 0 ? 'none' : values.join(', '));
  return [
    ...row('image', policy.image, value => value ?? 'none'),
    ...row('network', policy.network, value => value),
    ...row('limits', policy.limits, limitsText),
    ...row('mounts', policy.mounts, list),
    ...row('credentials', policy.env, list),
    ...row('idle for', policy.lifetimeSeconds, spanText),
    ...(policy.persistent?.value ? row('suspended for', policy.retentionSeconds, spanText) : []),
  ];
}

function renderInspection(sandbox: Inspection, look: Look): string {
  const { id, state, backend, name, sessionId, createdAt, stateSince, idleSince, problem } = sandbox;
  const facts = [
    ['sandbox', id],
    ['state', `${state} since ${timeText(stateSince)}`],
    ['backend', name === null ? backend : `${backend}, there called ${name}`],
    ['session', sessionId ?? 'none: it waits in the warm pool'],
    ['made', timeText(createdAt)],
    ...(idleSince === null ? [] : [['idle since', timeText(idleSince)]]),
    ['when idle', sandbox.whenIdle === 'suspend' ? 'suspended, files kept' : 'destroyed'],
    ...sandbox.costs.map(cost => ['cost', costText(cost)]),
    ...(problem === null ? [] : [['problem', plainLine(problem)]]),
    ...(sandbox.hasDrifted ? [['settings', `have changed since it was made; ${sandbox.outlook}`]] : []),
    ...sandbox.leases.map(lease => ['in use by', plainLine(describeLease(lease))]),
  ];
  const parts = policyRows(sandbox.policy as Partial<SandboxPolicy>); // as SandboxLife wrote it
  const processes = sandbox.processes.map(({ id: process, state: is, code, command }) => [
    process,
    code === null ? is : `${is} ${code}`,
    shortened(command, 200),
  ]);
  return [
    renderTable(['what', 'is'], facts, look),
    ...(parts.length > 0 ? ['', renderTable(['made with', 'value', 'decided by'], parts, look)] : []),
    ...(processes.length > 0 ? ['', renderTable(['process', 'state', 'command'], processes, look)] : []),
  ].join('\n');
}
