// Can files of this machine be read or written, by whatever name?
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isHermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { shellQuote } from '../../base/shell-quote.ts';
import { unlessHidden } from '../host-processes.ts';
import { byIsolation, byMounts } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe } from '../probe.ts';

const UP = '../'.repeat(24);

/** What the file API gives; a refusal is none. */
async function readThrough({ place, host }: Ground, path: string): Promise<Finding> {
  try {
    const text = Buffer.from(await place.readFile(path)).toString();
    return text === host.secret
      ? exposed('the canary of this machine was read')
      : contained('another file has that name inside');
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return contained(`refused: ${error.code}`);
  }
}

async function plantLink({ place, host }: Ground): Promise<string> {
  const link = `link-${newId()}`;
  await place.exec(`ln -s ${shellQuote(host.file)} ${link}`);
  return link;
}

async function writeThroughLink(ground: Ground): Promise<Finding> {
  const { place, host } = ground;
  const link = await plantLink(ground);
  try {
    await place.writeFile(link, 'changed');
  } catch (error) {
    if (!isHermesError(error)) throw error;
  }
  const text = await readFile(host.file, 'utf8');
  await writeFile(host.file, host.secret);
  await place.exec(`rm -f ${link}`);
  return text === host.secret
    ? contained('the canary of this machine is unchanged')
    : exposed('the canary of this machine was overwritten');
}

/** A new file in a system folder: does it appear on this machine? */
async function writeSystem({ place }: Ground, folder: string): Promise<Finding> {
  const path = `${folder}/hermes-canary-${newId()}`;
  await place.exec(`echo written >${path}`);
  const text = await unlessHidden(readFile(path, 'utf8'));
  await rm(path, { force: true });
  await place.exec(`rm -f ${path}`);
  return text === undefined
    ? contained(`no new file in ${folder} of this machine`)
    : exposed(`a new file in ${folder} of this machine, since removed`);
}

export const fileProbes: readonly Probe[] = [
  {
    id: 'files.path',
    family: 'files',
    title: 'read a file of the host by its path',
    expected: byMounts,
    attempt: ground => readThrough(ground, ground.host.file),
  },
  {
    id: 'files.dotdot',
    family: 'files',
    title: 'read it by climbing up with ..',
    expected: byMounts,
    attempt: ground => readThrough(ground, UP + ground.host.file.slice(1)),
  },
  {
    id: 'files.symlink-read',
    family: 'files',
    title: 'read it through a planted symbolic link',
    expected: byMounts,
    attempt: async ground => readThrough(ground, await plantLink(ground)),
  },
  {
    id: 'files.symlink-write',
    family: 'files',
    title: 'overwrite it through a planted link',
    expected: byMounts,
    attempt: writeThroughLink,
  },
  {
    id: 'files.etc',
    family: 'files',
    title: 'write into /etc of the host',
    expected: byIsolation,
    attempt: ground => writeSystem(ground, '/etc'),
  },
  {
    id: 'files.usr',
    family: 'files',
    title: 'write into /usr of the host',
    expected: byIsolation,
    attempt: ground => writeSystem(ground, '/usr'),
  },
  {
    id: 'files.proc-root',
    family: 'files',
    title: 'read it through /proc/1/root and its kin',
    expected: byMounts,
    attempt: async ({ place, host }) => {
      const { stdout } = await place.exec(`cat /proc/[0-9]*/root${shellQuote(host.file)} 2>/dev/null`);
      return stdout.includes(host.secret)
        ? exposed('the canary was read through /proc')
        : contained('no process leads to the canary');
    },
  },
];
