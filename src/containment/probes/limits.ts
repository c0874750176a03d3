// Do the limits hold? Each is tried in a sandbox of its own with small ones, so that going past them costs little.
import type { Limits } from '../../backends/backend.ts';
import { sleep } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { runHeld } from '../hold.ts';
import { processesWith, processorSeconds, waitFor } from '../host-processes.ts';
import { asPromised, byLimit, isContaining } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';

const SMALL = { memoryMiB: 128, processes: 64, diskMiB: 256 } as const satisfies Limits;
const SLOW = { cpus: 0.2 } as const satisfies Limits;
/** Each in a session of its own, which gets a share of a busy machine of its own. */
const SPINNERS = 6;
const FORKS = SMALL.processes * 2;
const FILES = 20_000;
const DISK_FILE_MIB = 64;
const TIMEOUT_MS = 40_000;
const SPIN_MS = 2_000;
const START_MS = 3_000;
/** Accounting is in steps of a few milliseconds, and a quota is refilled in periods. */
const SPIN_TOLERANCE = 1.5;

// A bomb with an end. They sleep, so that a machine without a limit does not even notice.
const FORK = `perl_text='for (1..${FORKS}) { my $p = fork; last if !defined $p; if (!$p) { sleep 10; exit } $n++ } $| = 1; print "made $n\\nHOLDING\\n"; sleep 10'
python_text='
import os, sys, time
made = 0
try:
    while made < ${FORKS}:
        if os.fork() == 0: time.sleep(10); os._exit(0)
        made += 1
except OSError: pass
print("made", made, flush=True); print("HOLDING", flush=True); time.sleep(10)'
if command -v perl >/dev/null; then exec perl -e "$perl_text"; fi
command -v python3 >/dev/null || exit 97
exec python3 -c "$python_text"`;

async function forks(ground: Ground): Promise<Finding> {
  const place = await ground.open(SMALL);
  const marker = newId();
  const { result, seen } = await runHeld(place, `${FORK} ${marker}`, {
    timeoutMs: TIMEOUT_MS,
    look: async () => (await processesWith(marker)).length,
  });
  if (result.exitCode === 97) return unknown('no Perl and no Python in it to fork with');
  const said = Number(/^made (\d+)$/m.exec(result.stdout)?.[1] ?? 0);
  const made = Math.max(said, (seen?.held ?? 0) - 1);
  const next = await place.exec('echo alive', { timeoutMs: 10_000 });
  await place.destroy();
  if (next.stdout !== 'alive\n') return exposed('after it no command ran any more');
  return made < FORKS
    ? contained(`${made} of ${FORKS} processes were made; the next command ran`)
    : exposed(`all ${FORKS} processes were made, twice the limit`);
}

/** tail keeps a line without an end in memory. */
async function memory(ground: Ground): Promise<Finding> {
  const place = await ground.open(SMALL);
  const bytes = 2 * SMALL.memoryMiB * 2 ** 20;
  const command = `exec tail -n 1 < <(head -c ${bytes} /dev/zero) >/dev/null`;
  const result = await place.exec(command, { timeoutMs: TIMEOUT_MS });
  const next = await place.exec('echo alive', { timeoutMs: 10_000 });
  await place.destroy();
  if (result.outcome === 'exited' && result.exitCode === 0) return exposed('twice the limit was had');
  if (next.stdout !== 'alive\n') return exposed('after it no command ran any more');
  return result.outOfMemory
    ? contained('ended, and reported as out of memory')
    : exposed(`ended (${result.signal ?? result.exitCode}), but not reported as out of memory`);
}

/** Several files: a limit on the size of one is none on the disk. */
async function disk(ground: Ground): Promise<Finding> {
  const place = await ground.open(SMALL);
  const wanted = 2 * SMALL.diskMiB;
  const command = `mkdir fill && cd fill || exit
for ((i = 0; i < ${wanted / DISK_FILE_MIB}; i++)); do dd if=/dev/zero of=$i bs=1048576 count=${DISK_FILE_MIB} 2>/dev/null || break; done
cat * | wc -c; cd .. && rm -rf fill`;
  const result = await place.exec(command, { timeoutMs: TIMEOUT_MS });
  await place.destroy();
  const written = Math.round(Number(result.stdout.trim()) / 2 ** 20);
  if (result.outcome !== 'exited') return contained(`ended while writing: ${result.outcome}`);
  return written < wanted
    ? contained(`${written} of ${wanted} MB were written`)
    : exposed(`${written} MB were written, twice the limit`);
}

async function inodes(ground: Ground): Promise<Finding> {
  const place = await ground.open(SMALL);
  const command = `mkdir many && cd many || exit; for ((i = 0; i < ${FILES}; i++)); do : >$i || break; done; echo $i; cd ..; rm -rf many`;
  const result = await place.exec(command, { timeoutMs: TIMEOUT_MS });
  await place.destroy();
  const made = Number(result.stdout.trim());
  if (made < FILES) return contained(`${made} of ${FILES} files were made`);
  // No backend has a limit for it: there is nothing to break.
  return isContaining(ground.policy)
    ? unknown(`${made} files were made; nobody limits their number`)
    : exposed(`${made} files were made`);
}

async function spin(ground: Ground): Promise<Finding> {
  const place = await ground.open(SLOW);
  const marker = newId();
  const command = `: ${marker}; for ((i = 0; i < ${SPINNERS}; i++)); do setsid bash -c 'while :; do :; done' ${marker} & done; echo HOLDING; wait`;
  const { seen } = await runHeld(place, command, {
    timeoutMs: TIMEOUT_MS,
    look: async () => {
      const pids =
        (await waitFor(ground.clock, START_MS, async () => {
          const found = await processesWith(marker);
          return found.length > SPINNERS ? found : undefined;
        })) ?? [];
      const [usedBefore, startedAt] = [await processorSeconds(pids), ground.clock.monotonic()];
      await sleep(ground.clock, SPIN_MS);
      const used = (await processorSeconds(pids)) - usedBefore;
      return pids.length === 0 ? undefined : used / ((ground.clock.monotonic() - startedAt) / 1000);
    },
  });
  await place.destroy();
  const share = seen?.held;
  if (share === undefined) return unknown('its processes cannot be seen from this machine');
  const text = `${share.toFixed(2)} processors were used, ${SLOW.cpus} are the limit`;
  return share <= SLOW.cpus * SPIN_TOLERANCE ? contained(text) : exposed(text);
}

export const limitProbes: readonly Probe[] = [
  {
    id: 'limits.processes',
    family: 'limits',
    title: 'fork more processes than allowed',
    expected: byLimit('processes'),
    attempt: async ground => asPromised(ground.policy, 'processes', await forks(ground)),
  },
  {
    id: 'limits.memory',
    family: 'limits',
    title: 'take twice the memory allowed',
    expected: byLimit('memory'),
    attempt: async ground => asPromised(ground.policy, 'memory', await memory(ground)),
  },
  {
    id: 'limits.disk',
    family: 'limits',
    title: 'write twice the disk space allowed',
    expected: byLimit('disk'),
    attempt: async ground => asPromised(ground.policy, 'disk', await disk(ground)),
  },
  {
    id: 'limits.inodes',
    family: 'limits',
    title: `make ${FILES} files`,
    expected: policy => (isContaining(policy) ? 'not enforceable here' : 'not contained'),
    attempt: inodes,
  },
  {
    id: 'limits.cpus',
    family: 'limits',
    title: 'spin on more processors than allowed',
    expected: byLimit('cpus'),
    attempt: async ground => asPromised(ground.policy, 'cpus', await spin(ground)),
  },
];
