// The bash part of the channel, as text. Read when first needed; docs/shell-channel.md explains it.
import { readFileSync } from 'node:fs';

export interface ShellScripts {
  readonly lane: string;
  readonly persistent: string;
  readonly job: string;
}

export function readShellScripts(): ShellScripts {
  const read = (name: string): string => readFileSync(new URL(`./shell/${name}.sh`, import.meta.url), 'utf8');
  const verdict = read('verdict');
  return {
    lane: verdict + read('processes') + read('lane'),
    persistent: read('persistent'),
    job: verdict + read('job'),
  };
}

/** Receives the lane's own text over its input, so that neither arguments nor files have to carry it. */
export const BOOTSTRAP =
  'IFS= read -r -N "$1" parts_lane && IFS= read -r -N "$2" parts_persistent && shift 2 && eval "$parts_lane"';
