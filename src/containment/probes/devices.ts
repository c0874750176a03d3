// Can the sandbox get at the disks of this machine?
import { lstat, readdir } from 'node:fs/promises';
import { newId } from '../../base/ids.ts';
import { filesOf, unlessHidden } from '../host-processes.ts';
import { type Call, HERE } from '../kernel-calls.ts';
import { judgeHeld } from '../looking.ts';
import { byIsolation } from '../policy.ts';
import { contained, type Finding, type Ground, type Probe } from '../probe.ts';

const BLOCK_0600 = 0o60600;
const LOOP = [7, 0] as const;

/** The first disk of this machine, as the kernel numbers it. */
async function firstDisk(): Promise<readonly [number, number]> {
  const names = (await unlessHidden(readdir('/sys/dev/block'))) ?? [];
  const numbers = names.map(name => name.split(':').map(Number)).sort(([a = 0], [b = 0]) => b - a);
  const [major = LOOP[0], minor = LOOP[1]] = numbers[0] ?? LOOP;
  return [major, minor];
}

async function makeNode(ground: Ground): Promise<Finding> {
  const [major, minor] = await firstDisk();
  const path = `${ground.place.workdir}/node-${newId()}`;
  const finding = await judgeHeld(ground, {
    calls: [['mknodat', HERE, { text: path }, BLOCK_0600, (major << 8) | minor]],
    look: async pid => {
      const node = await unlessHidden(lstat(`/proc/${pid}/root${path}`));
      return node?.isBlockDevice() ? `a node of disk ${major}:${minor} was made` : undefined;
    },
    harmless: 'what was made is no device',
  });
  await ground.place.exec(`rm -f ${path}`);
  return finding;
}

/** Opened for reading, never read. */
async function openDisk(ground: Ground): Promise<Finding> {
  const [major, minor] = await firstDisk();
  const path = `${ground.place.workdir}/disk-${newId()}`;
  const { stdout } = await ground.place.exec(
    `mknod ${path} b ${major} ${minor} 2>/dev/null; for f in ${path} /dev/*; do [[ -b $f ]] && echo "$f"; done`,
  );
  let finding = contained('there is no block device inside');
  for (const device of stdout.split('\n').filter(Boolean).slice(0, 40)) {
    const calls: Call[] = [['openat', HERE, { text: device }, 0, 0]];
    finding = await judgeHeld(ground, {
      calls,
      look: async pid => {
        const file = (await filesOf(pid)).find(({ stats }) => stats.isBlockDevice());
        return file && 'a disk of this machine is open for reading';
      },
      harmless: 'what it opened is no disk',
    });
    if (finding.verdict !== 'contained') break;
  }
  await ground.place.exec(`rm -f ${path}`);
  return finding;
}

export const deviceProbes: readonly Probe[] = [
  {
    id: 'devices.mknod',
    family: 'devices',
    title: 'make a device node for a disk',
    expected: byIsolation,
    attempt: makeNode,
  },
  {
    id: 'devices.block',
    family: 'devices',
    title: 'open a disk for reading',
    expected: byIsolation,
    attempt: openDisk,
  },
];
