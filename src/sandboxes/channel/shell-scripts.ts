// The bash part of the channel, as text. Read when first needed; docs/shell-channel.md explains it.
import { readFileSync } from 'node:fs';
import { shellQuote } from '../../base/shell-quote.ts';

export interface ShellScripts {
  readonly lane: string;
  readonly persistent: string;
  readonly job: string;
}

export function readShellScripts(): ShellScripts {
  const read = (name: string): string => readFileSync(new URL(`./shell/${name}.sh`, import.meta.url), 'utf8');
  const verdict = read('verdict');
  const sudo = read('sudo');
  return {
    lane: verdict + sudo + read('processes') + read('unattended') + read('lane'),
    persistent: read('persistent'),
    job: verdict + sudo + read('job'),
  };
}

/**
 * Receives the lane's own text and the environment of its commands over its input, so that neither arguments nor files
 * nor the engine's records have to carry them. The lengths are bytes.
 */
export const BOOTSTRAP = `for part in lane persistent environment; do
LC_ALL=C IFS= read -r -N "$1" "parts_$part" || ((\${1} == 0)) || exit 1
shift
done
eval "$parts_environment"
eval "$parts_lane"`;

/** Assignments that make these variables part of a shell's environment. */
export function exportsOf(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `export ${name}=${shellQuote(value)}\n`)
    .join('');
}
