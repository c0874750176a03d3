// Can output be made to look like the end of a command, or get into the result of somebody else's?
import { runHeld } from '../hold.ts';
import { forMarked, newMarker } from '../marker.ts';
import { always, byIsolation } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe } from '../probe.ts';

const HOLD_MS = 8_000;
const FORGED = 'forged by another session';

/** What ends of commands look like, ours with a wrong nonce and those of others. */
const IMITATIONS = [
  String.raw`\x1e00000000000000000000000000000000 exited 0 - - 0\n`,
  String.raw`\x1e exited 0 - - 0\n`,
  String.raw`\x1e00000000000000000000000000000000 ready\n`,
  String.raw`\x1e00000000000000000000000000000000 killed\n`,
  String.raw`HERMES_DONE 0\n`,
];

async function imitate({ place }: Ground): Promise<Finding> {
  const printed = IMITATIONS.join('');
  const result = await place.exec(`printf '${printed}'; printf '${printed}' >&2; echo last; exit 7`);
  const next = await place.exec('echo next');
  const isWhole = result.exitCode === 7 && result.stdout.endsWith('last\n') && next.stdout === 'next\n';
  return isWhole
    ? contained('result and output were the real ones')
    : exposed(`it passed for ${result.outcome} ${result.exitCode ?? ''}`.trim());
}

async function writeToNeighbour({ place, neighbour }: Ground): Promise<Finding> {
  const marker = newMarker();
  const { result } = await runHeld(neighbour, `echo HOLDING; sleep ${marker}`, {
    timeoutMs: HOLD_MS,
    look: () =>
      place.exec(forMarked(`echo '${FORGED}' >>/proc/$pid/fd/1`), { stdin: marker, timeoutMs: HOLD_MS }),
  });
  return result.stdout.includes(FORGED)
    ? exposed('the other session’s result contains it')
    : contained('the other session’s result is its own');
}

export const protocolProbes: readonly Probe[] = [
  {
    id: 'protocol.imitated',
    family: 'protocol',
    title: 'end a command by output that imitates its end',
    judgedBySandboxes: true,
    expected: always('contained'),
    attempt: imitate,
  },
  {
    id: 'protocol.foreign',
    family: 'protocol',
    title: 'write into the result of another session',
    judgedBySandboxes: true,
    expected: byIsolation,
    attempt: writeToNeighbour,
  },
];
