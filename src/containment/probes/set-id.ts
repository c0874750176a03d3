// Can a sandbox leave a set-user-id program in a folder of this machine that it can write? Such a file lends its owner's rights to
// everybody here.
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../base/ids.ts';
import { type Call, HERE, runCalls } from '../kernel-calls.ts';
import { byIsolation, isContaining } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Place, type Probe, unknown } from '../probe.ts';

const INSIDE = '/canary';
const SET_ID = 0o6000;
const MODES = [0o4755, 0o2755];
const S_IFREG = 0o100000;
const O_WRONLY_CREAT = 0x41;
const O_RDWR_TMPFILE = 0x410002;
const AT_SYMLINK_FOLLOW = 0x400;

type Form = (path: string, mode: number, folder: string) => readonly Call[];

const made = (path: string): Call => ['openat', HERE, { text: path }, O_WRONLY_CREAT, 0o644];

/** Every call that gives a file its mode. */
const FORMS: Readonly<Record<string, Form>> = {
  chmod: (path, mode) => [made(path), ['chmod', { text: path }, mode]],
  fchmod: (path, mode) => [made(path), ['fchmod', { result: 0 }, mode]],
  fchmodat: (path, mode) => [made(path), ['fchmodat', HERE, { text: path }, mode]],
  fchmodat2: (path, mode) => [made(path), ['fchmodat2', HERE, { text: path }, mode, 0]],
  creat: (path, mode) => [['creat', { text: path }, mode]],
  open: (path, mode) => [['open', { text: path }, O_WRONLY_CREAT, mode]],
  openat: (path, mode) => [['openat', HERE, { text: path }, O_WRONLY_CREAT, mode]],
  openat2: (path, mode) => [['openat2', HERE, { text: path }, { bytes: openHow(O_WRONLY_CREAT, mode) }, 24]],
  // The first descriptor after the usual three.
  tmpfile: (path, mode, folder) => [
    ['openat', HERE, { text: folder }, O_RDWR_TMPFILE, mode],
    ['linkat', HERE, { text: '/proc/self/fd/3' }, HERE, { text: path }, AT_SYMLINK_FOLLOW],
  ],
  mkdir: (path, mode) => [['mkdir', { text: path }, mode]],
  mkdirat: (path, mode) => [['mkdirat', HERE, { text: path }, mode]],
  mknod: (path, mode) => [['mknod', { text: path }, S_IFREG | mode, 0]],
  mknodat: (path, mode) => [['mknodat', HERE, { text: path }, S_IFREG | mode, 0]],
};

function openHow(flags: number, mode: number): Uint8Array {
  const how = Buffer.alloc(24);
  how.writeBigUInt64LE(BigInt(flags), 0);
  how.writeBigUInt64LE(BigInt(mode), 8);
  return how;
}

async function leaveSetId(ground: Ground): Promise<Finding> {
  const { policy, host } = ground;
  if (!policy.canMount && isContaining(policy))
    return contained('no folder of this machine can be put into it');
  const folder = await mkdtemp(join(host.folder, 'set-id-'));
  // Only the sandbox's walls may keep it out.
  await chmod(folder, 0o777);
  try {
    if (!policy.canMount) return await tryForms(ground.place, { folder, inside: folder });
    const place = await ground.open({}, [{ source: folder, target: INSIDE, readOnly: false }]);
    const finding = await tryForms(place, { folder, inside: INSIDE });
    await place.destroy();
    return finding;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `folder` is what the sandbox knows as `inside`. */
async function tryForms(
  place: Place,
  { folder, inside }: { readonly folder: string; readonly inside: string },
): Promise<Finding> {
  const first = await runCalls(place, [made(`${inside}/plain`)], { marker: newId() });
  if (first.impossible !== undefined) return unknown(first.impossible);
  if (!(await readdir(folder)).includes('plain')) return unknown('nothing could be written there');
  for (const [name, form] of Object.entries(FORMS)) {
    for (const mode of MODES)
      await runCalls(place, form(`${inside}/${name}-${mode.toString(8)}`, mode, inside), { marker: newId() });
  }
  const names = await readdir(folder);
  const modes = await Promise.all(names.map(async name => (await stat(join(folder, name))).mode));
  const left = names.filter((_, at) => ((modes[at] ?? 0) & SET_ID) !== 0);
  return left.length === 0
    ? contained('files could be made there, but none with such a bit')
    : exposed(`made by ${[...new Set(left.map(name => name.split('-')[0]))].join(', ')}, and removed`);
}

export const setIdProbes: readonly Probe[] = [
  {
    id: 'files.set-id',
    family: 'files',
    title: 'leave a set-user-id program in a writable folder of the host',
    expected: byIsolation,
    attempt: leaveSetId,
  },
];
