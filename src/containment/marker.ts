// Processes that can be found again: by a number of seconds that nobody else sleeps for.
import { randomInt } from 'node:crypto';

export function newMarker(): string {
  return String(randomInt(100_000_000, 999_999_999));
}

/** A command that does something with each process, `$pid`, whose arguments contain the marker. It takes the marker by input: in
 * its own arguments it would make the command find itself. */
export function forMarked(action: string): string {
  return `read -r marker
for dir in /proc/[0-9]*; do
  mapfile -d '' -t words <"$dir/cmdline" || continue
  pid=\${dir#/proc/}
  [[ \${words[*]} == *"$marker"* ]] && ${action}
done 2>/dev/null
true`;
}
