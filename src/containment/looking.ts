// Probes whose success shows as something that a process in the sandbox holds: a call is made, the process stays, and
// this machine looks at it.
import { newId } from '../base/ids.ts';
import { processesWith, waitFor } from './host-processes.ts';
import { type Call, runCalls } from './kernel-calls.ts';
import { contained, exposed, type Finding, type Ground, type Place, unknown } from './probe.ts';

export interface HeldCalls {
  readonly calls: readonly Call[];
  /** What betrays success, in one of the processes with the marker; undefined when nothing does. */
  look(pid: number, marker: string): Promise<string | undefined>;
  /** What it means when no process shows it although every call succeeded. */
  readonly harmless: string;
}

const LOOK_MS = 500;

export async function judgeHeld(
  ground: Ground,
  held: HeldCalls,
  place: Place = ground.place,
): Promise<Finding> {
  const marker = newId();
  const answer = await runCalls(place, held.calls, {
    marker,
    look: () => lookAt(ground, marker, held),
  });
  if (answer.impossible !== undefined) return unknown(answer.impossible);
  if (answer.error !== undefined) return contained(`refused: ${answer.error}`);
  if (answer.seen === undefined) return unknown('its processes cannot be seen from this machine');
  return answer.seen.evidence === undefined ? contained(held.harmless) : exposed(answer.seen.evidence);
}

async function lookAt(
  ground: Ground,
  marker: string,
  held: HeldCalls,
): Promise<{ evidence: string | undefined } | undefined> {
  const pids = await waitFor(ground.clock, LOOK_MS, async () => {
    const found = await processesWith(marker);
    return found.length > 0 ? found : undefined;
  });
  if (pids === undefined) return undefined;
  for (const pid of pids) {
    const evidence = await held.look(pid, marker);
    if (evidence !== undefined) return { evidence };
  }
  return { evidence: undefined };
}

/** The process with the marker that has become `program`. */
export async function processRunning(
  ground: Ground,
  marker: string,
  isIt: (pid: number) => Promise<boolean>,
): Promise<number | undefined> {
  return waitFor(ground.clock, LOOK_MS, async () => {
    for (const pid of await processesWith(marker)) if (await isIt(pid)) return pid;
    return undefined;
  });
}
