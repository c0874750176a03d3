// Which rights do processes in the sandbox have, and can they get more?
import { newId } from '../../base/ids.ts';
import { runHeld } from '../hold.ts';
import { mountsOf, statusOf } from '../host-processes.ts';
import type { Call } from '../kernel-calls.ts';
import { judgeHeld, processRunning } from '../looking.ts';
import { newMarker } from '../marker.ts';
import { byIsolation } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';

const TIMEOUT_MS = 8_000;
const CLONE_NEWNS = 0x20000;
const CLONE_NEWUSER = 0x10000000;
const MS_REC_PRIVATE = 0x44000;
const NO_CAPABILITIES = 0n;

/** A process of the sandbox that does nothing but stay; its number on this machine. */
async function judgeStaying(
  ground: Ground,
  start: (marker: string) => string,
  judge: (pid: number) => Promise<Finding>,
): Promise<Finding> {
  const marker = newMarker();
  const { result, seen } = await runHeld(ground.place, start(marker), {
    timeoutMs: TIMEOUT_MS,
    look: async () => {
      // The shell that becomes `sleep` has the marker in its arguments too; only afterwards it is what was asked for.
      const isIt = async (pid: number): Promise<boolean> => (await statusOf(pid, 'Name')) !== 'bash';
      const pid = await processRunning(ground, marker, isIt);
      return pid === undefined ? unknown('its processes cannot be seen from this machine') : judge(pid);
    },
  });
  return seen?.held ?? unknown(`no process stayed: ${result.stderr.trim() || result.outcome}`);
}

function sleeping(program: string): (marker: string) => string {
  return marker => `echo HOLDING; exec ${program} ${marker}`;
}

async function capabilities(pid: number): Promise<Finding> {
  const sets = await Promise.all(['CapEff', 'CapPrm', 'CapAmb', 'CapBnd'].map(name => statusOf(pid, name)));
  const [effective, permitted, ambient, bounding] = sets.map(set => BigInt(`0x${set ?? '0'}`));
  const held = (effective ?? 0n) | (permitted ?? 0n) | (ambient ?? 0n);
  const canRaise = bounding !== NO_CAPABILITIES && (await statusOf(pid, 'NoNewPrivs')) !== '1';
  if (held === NO_CAPABILITIES && !canRaise) return contained('it has none and can get none');
  return exposed(`effective ${sets[0]}, bounding ${sets[3]}`);
}

/** Mounts a file system named after the marker on the folder, and stays. */
function mountCalls(marker: string, folder: string): Call[] {
  return [['mount', { text: marker }, { text: folder }, { text: 'tmpfs' }, 0, { text: 'size=4k' }]];
}

interface MountSteps {
  readonly before?: readonly Call[];
  readonly after?: (folder: string) => readonly Call[];
  /** Where the mount must stand then; absent = anywhere. */
  readonly at?: string;
}

async function judgeMount(
  ground: Ground,
  { before = [], after = () => [], at }: MountSteps,
): Promise<Finding> {
  const source = newId();
  const folder = `${ground.place.workdir}/mount-${source}`;
  await ground.place.exec(`mkdir ${folder}`);
  try {
    return await judgeHeld(ground, {
      calls: [...before, ...mountCalls(source, folder), ...after(folder)],
      look: async pid => {
        const line = (await mountsOf(pid)).find(mount => mount.includes(` ${source} `));
        const point = line?.split(' ')[4];
        return point === undefined || (at !== undefined && point !== at)
          ? undefined
          : `mounted at ${at ?? 'its folder'}`;
      },
      harmless: 'no mount is to be seen in it',
    });
  } finally {
    // Only a mount without a namespace of its own is still there.
    await ground.place.exec(`umount ${folder}; rmdir ${folder}`);
  }
}

async function pivotRoot(ground: Ground): Promise<Finding> {
  // Never in the namespace that it was started in: there it would take the root from others if it succeeded.
  const apart: Call[] = [
    ['unshare', CLONE_NEWNS],
    ['mount', { text: 'none' }, { text: '/' }, 0, MS_REC_PRIVATE, 0],
  ];
  return judgeMount(ground, {
    before: apart,
    after: folder => [['pivot_root', { text: folder }, { text: folder }]],
    at: '/',
  });
}

export const privilegeProbes: readonly Probe[] = [
  {
    id: 'privileges.capabilities',
    family: 'privileges',
    title: 'have capabilities',
    expected: byIsolation,
    attempt: ground => judgeStaying(ground, sleeping('sleep'), capabilities),
  },
  {
    id: 'privileges.no-new',
    family: 'privileges',
    title: 'be allowed to gain privileges',
    expected: byIsolation,
    attempt: ground =>
      judgeStaying(ground, sleeping('sleep'), async pid => {
        const value = await statusOf(pid, 'NoNewPrivs');
        return value === '1' ? contained('NoNewPrivs is 1') : exposed(`NoNewPrivs is ${value}`);
      }),
  },
  {
    id: 'privileges.seccomp',
    family: 'privileges',
    title: 'run without a filter of system calls',
    expected: byIsolation,
    attempt: ground =>
      judgeStaying(ground, sleeping('sleep'), async pid => {
        const value = await statusOf(pid, 'Seccomp');
        return value === '2' ? contained('a filter is in force') : exposed(`Seccomp is ${value}`);
      }),
  },
  {
    id: 'privileges.setuid',
    family: 'privileges',
    title: 'become root by a setuid program',
    expected: byIsolation,
    attempt: async ground => {
      const folder = `setuid-${newId()}`;
      const name = `${folder}/sleep`;
      const prepare = `mkdir ${folder} && cp "$(command -v sleep)" ${name} && { chown 0:0 ${name}; chmod 4755 ${name}; } 2>/dev/null`;
      const finding = await judgeStaying(
        ground,
        marker => `${prepare}; ${sleeping(`./${name}`)(marker)}`,
        async pid => {
          const effective = await statusOf(pid, 'CapEff');
          return BigInt(`0x${effective ?? '0'}`) === NO_CAPABILITIES
            ? contained('it runs without capabilities')
            : exposed(`it runs with ${effective}`);
        },
      );
      await ground.place.exec(`rm -rf ${folder}`);
      return finding;
    },
  },
  {
    id: 'privileges.mount',
    family: 'privileges',
    title: 'mount a file system',
    expected: byIsolation,
    attempt: ground => judgeMount(ground, {}),
  },
  {
    id: 'privileges.pivot-root',
    family: 'privileges',
    title: 'pivot_root in a mount namespace of its own',
    expected: byIsolation,
    attempt: pivotRoot,
  },
  {
    id: 'privileges.unshare',
    family: 'privileges',
    title: 'mount in a user namespace of its own',
    expected: byIsolation,
    attempt: ground => judgeMount(ground, { before: [['unshare', CLONE_NEWUSER | CLONE_NEWNS]] }),
  },
];
