// The dead man's switch: the first process of a sandbox ends it when nobody has given a sign of life for too long. The idle
// time-out of the service is no such switch, because the shells of a gateway that has died count as activity.

/** In the sandbox; a sign of life makes it, the guard takes it away. */
const SIGN = '/.hermes/alive';
/** Gives it, in a shell. What is there already may be a pipe of somebody's, which would hold up whoever opens it. */
export const GIVE_SIGN = `[ -e ${SIGN} ] || true 2>/dev/null >${SIGN}`;

/** `$1`: seconds between looks, `$2`: how many of them in a row without a sign are too many, `$3`: the sign. */
const GUARD = `mkdir -p "\${3%/*}"
left=$2
while [ "$left" -gt 0 ]; do
  sleep "$1"
  if [ -e "$3" ]; then rm -f "$3"; left=$2; else left=$((left - 1)); fi
done`;

const LONGEST_LOOK_SECONDS = 60;
const LOOKS = 10;

/** The first process of a sandbox. */
export function guardCommand(idleSeconds: number, sign = SIGN): string[] {
  const seconds = Math.min(LONGEST_LOOK_SECONDS, idleSeconds / LOOKS);
  const looks = Math.ceil(idleSeconds / seconds);
  return ['/bin/sh', '-c', GUARD, 'hermes-guard', String(seconds), String(looks), sign];
}

/** How often somebody who lives gives a sign. */
export function signEveryMs(idleSeconds: number): number {
  return (idleSeconds * 1000) / 3;
}
