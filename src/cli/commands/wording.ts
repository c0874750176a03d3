// Times, sizes and foreign text as people read them.
import type { Limits } from '../../backends/backend.ts';
import { stripAnsi } from '../../base/strip-ansi.ts';
import type { Cost } from '../../sessions/cost.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `90 s`, `2 h`: the largest unit of which there are at least two, or one exactly. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [unit, size] =
    UNITS.find(([, length]) => whole >= 2 * length || whole === length) ?? (['s', 1] as const);
  return `${Math.floor(whole / size)} ${unit}`;
}

/** How long ago. */
export function ageText(then: number | null, now: number): string {
  return then === null ? '' : spanText((now - then) / 1000);
}

/** To the second, in UTC. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Text from a sandbox or a chat on one line, unable to control the terminal. */
export function plainLine(text: string): string {
  return stripAnsi(text.replace(/[\r\n\t]+/g, ' '));
}

/** Cut so that a table stays readable; `--json` has all of it. */
export function shortened(text: string, length: number): string {
  const line = plainLine(text);
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

export function limitsText({ cpus, memoryMiB, diskMiB, processes }: Limits): string {
  const text = (limit: number | undefined, what: string): string =>
    limit === 0 ? `unlimited ${what}` : `${limit} ${what}`;
  return [
    text(cpus, cpus === 1 ? 'cpu' : 'cpus'),
    text(memoryMiB, 'MiB memory').replace('unlimited MiB', 'unlimited'),
    text(diskMiB, 'MiB disk').replace('unlimited MiB', 'unlimited'),
    text(processes, 'processes'),
  ].join(', ');
}

/** `modal: 3600 core s, 18000 GiB s in 2 sandboxes, about 0.26 USD (estimate, prices of 2026-06)`. */
export function costText({
  backend,
  sandboxes,
  cpuSeconds,
  gibSeconds,
  currency,
  estimate,
  asOf,
}: Cost): string {
  const many = sandboxes === 1 ? '1 sandbox' : `${sandboxes} sandboxes`;
  const money = estimate < 0.005 ? 'under 0.01' : `about ${estimate.toFixed(2)}`;
  return `${backend}: ${Math.round(cpuSeconds)} core s, ${Math.round(gibSeconds)} GiB s in ${many}, ${money} ${currency} (estimate, prices of ${asOf})`;
}
