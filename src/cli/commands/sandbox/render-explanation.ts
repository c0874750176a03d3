// The explanation of a sandbox for people.
import type { Explained } from '../../../sessions/explain.ts';
import type { Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { limitsText, plainLine, spanText } from '../wording.ts';
import type { SandboxExplanation } from './explain.ts';

export function renderExplanation(explanation: SandboxExplanation, look: Look): string {
  const { refusal, sandbox } = explanation;
  const answer = refusal
    ? [`Nothing would run. ${refusal.reason}`, `Fix: ${refusal.fix}`]
    : [renderTable(['what', 'is', 'decided by'], rowsOf(explanation), look), '', ...remarks(explanation)];
  const title = look.colors.bold(plainLine(titleOf(explanation)));
  const [table = '', ...rest] = [...answer, ...sandboxLines(sandbox)];
  const first = refusal ? wrapText(table, look) : table;
  return [title, '', first, ...rest.map(line => wrapText(line, look))].join('\n');
}

const UNDECIDED =
  'auto has not chosen yet: the first start of the gateway takes the first of these backends that works, and keeps to it. If none works, nothing runs.';

function remarks({
  decision,
  exposures,
  notApplied,
  asked,
  approvals,
  limitsHeld,
}: SandboxExplanation): string[] {
  const exposed =
    exposures.length === 0
      ? ['Exposed outside the sandbox: nothing.']
      : ['Exposed outside the sandbox:', ...exposures.map(line => `  ${line}`)];
  return [
    ...(decision === 'undecided' ? [UNDECIDED] : []),
    ...(limitsHeld === null ? [] : [`Limits: ${limitsHeld}.`]),
    ...exposed,
    askedText(asked, approvals.value),
    ...notApplied.map(line => `Note: ${line}`),
  ];
}

function askedText({ about, by }: SandboxExplanation['asked'], mode: string): string {
  if (mode === 'off') return 'Asked before a command runs: nothing, approvals.mode is off.';
  if (about.length === 0) return 'Asked before a command runs: nothing, the sandbox holds what it could do.';
  const who = by.length === 0 ? 'there is no owner yet, so the answer is no' : `answered by ${by.join(', ')}`;
  return `Asked before a command runs (${who}): ${about.join(', ')}.`;
}

function titleOf({ session, person }: SandboxExplanation): string {
  if (session) return `Session ${session.id}: ${session.platform}, chat ${session.chat} (${session.kind})`;
  return person === null ? 'A new messaging session' : `${person}, who has no session yet`;
}

function rowsOf(explanation: SandboxExplanation): string[][] {
  const { backend, image, network, limits, mounts, credentials, persistent } = explanation;
  const backendText = (name: string): string =>
    backend.among ? `${name}: ${backend.among.join(', then ')}` : name;
  const row = <T>(title: string, part: Explained<T>, text: (value: T) => string): string[] => {
    const shown = part.ifChosen
      ? Object.entries(part.ifChosen).map(([name, { value }]) => `${name}: ${text(value)}`)
      : [text(part.value as T)]; // null only with ifChosen, or where T has it
    return [title, shown.join('; '), part.origin];
  };
  const isKept = persistent.value !== false;
  return [
    row('backend', backend, backendText),
    row('image', image, value => value ?? 'none'),
    row('network', network, value => value),
    row('limits', limits, limitsText),
    row('mounts', mounts, listText),
    row('credentials', credentials, listText),
    row('files kept', persistent, value => (value ? 'yes' : 'no')),
    row(
      'idle for',
      explanation.lifetimeSeconds,
      value => `${spanText(value)}, then ${isKept ? 'suspended' : 'destroyed'}`,
    ),
    ...(isKept
      ? [row('suspended for', explanation.retentionSeconds, value => `${spanText(value)}, then removed`)]
      : []),
    row('time limit', explanation.timeoutSeconds, spanText),
    row('shell', explanation.persistentShell, value => (value ? 'persistent' : 'new for each command')),
    row('sudo', explanation.sudo, value => (value ? 'is given its password' : 'is given no password')),
    row('approvals', explanation.approvals, value => value),
  ];
}

function sandboxLines(sandbox: SandboxExplanation['sandbox']): string[] {
  if (!sandbox) return [];
  const { id, state, hasDrifted, outlook, drift } = sandbox;
  if (!hasDrifted) return [`Its sandbox is ${id}, ${state}.`];
  const changes = drift.map(
    ({ part, was, is }) => `  ${part}: ${JSON.stringify(was)}, now ${JSON.stringify(is)}`,
  );
  return [
    `Its sandbox is ${id}, ${state}. The settings have changed since it was made:`,
    ...changes,
    `  Now ${outlook}.`,
  ];
}

function listText(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ');
}
