// What the operator's own ssh configuration makes of the target: asked from ssh itself, which knows its rules best.
import type { Target } from './arguments.ts';

export interface Destination {
  /** For people: `deploy@10.0.0.5 port 22`. */
  readonly address: string;
  /** The files with host keys that ssh would use, as it printed them. */
  readonly knownHosts: string;
  /** `yes` where the operator wants every key to be there already; else the first one seen is pinned. */
  readonly strict: 'yes' | 'accept-new';
}

/** Reads what `ssh -G` prints: a keyword and its value on each line. */
export function parseDestination(printed: string, target: Target): Destination {
  const values = new Map<string, string>();
  for (const line of printed.split('\n')) {
    const [, keyword, value] = /^(\S+) (.*)$/.exec(line.trim()) ?? [];
    if (keyword !== undefined && value !== undefined && !values.has(keyword)) values.set(keyword, value);
  }
  const user = values.get('user') ?? target.user;
  const host = values.get('hostname') ?? target.host;
  const port = values.get('port') ?? target.port ?? 22;
  const strict = values.get('stricthostkeychecking') ?? 'ask';
  return {
    address: `${user === undefined ? '' : `${user}@`}${host} port ${port}`,
    knownHosts: values.get('userknownhostsfile') ?? '',
    strict: strict === 'yes' || strict === 'true' ? 'yes' : 'accept-new',
  };
}
