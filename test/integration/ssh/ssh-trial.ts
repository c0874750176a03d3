// What the ssh tests work with: a server, backends and sandboxes that go with the test, and a look at the machine.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { type Backend, SandboxHandle, type SandboxRef, type SandboxSpec } from '../../../src/index.ts';
import type { SshServer } from './ssh-server.ts';

export const INSTALLATION = 'ssh-test';

export function specOf(changes: Partial<SandboxSpec> = {}): SandboxSpec {
  return {
    id: randomBytes(8).toString('hex'),
    installation: INSTALLATION,
    limits: {},
    mounts: [],
    env: {},
    persistent: false,
    ...changes,
  };
}

export async function openHandle(
  backend: Backend,
  changes: Partial<SandboxSpec> = {},
): Promise<SandboxHandle> {
  return SandboxHandle.open({ sandbox: await backend.create(specOf(changes)), clock: systemClock });
}

export async function listed(backend: Backend, installation: string): Promise<SandboxRef[]> {
  const refs: SandboxRef[] = [];
  for await (const ref of backend.list(installation)) refs.push(ref);
  return refs;
}

/** Everything whose arguments contain the text, but for ssh clients, whose arguments repeat it. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(text) && !command.startsWith('ssh\0')) found.push(pid);
  }
  return found;
}

/** The ssh clients and connections of the gateways of this server. */
export async function clientsOf(server: SshServer): Promise<number[]> {
  const found: number[] = [];
  const sockets = await socketDirs();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [program = '', ...args] = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split(
      '\0',
    );
    const isSsh = program === 'ssh' || program.startsWith('ssh: ');
    const text = [program, ...args].join(' ');
    if (isSsh && (text.includes(server.dir) || sockets.some(dir => text.includes(dir))))
      found.push(Number(name));
  }
  return found;
}

/** Folders for sockets that this process has made. */
export async function socketDirs(): Promise<string[]> {
  const parents = ['/tmp', process.env['TMPDIR'] ?? '/tmp'];
  const names = await Promise.all(
    [...new Set(parents)].map(async parent => (await readdir(parent)).map(name => join(parent, name))),
  );
  return names.flat().filter(path => new RegExp(`/hermes-ssh-[0-9a-f]+-${process.pid}-`).test(path));
}

/** The processes that hold connections open. */
export async function mastersOf(server: SshServer): Promise<number[]> {
  const pids = await clientsOf(server);
  const commands = await Promise.all(
    pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, at) => commands[at]?.includes('[mux]') || commands[at]?.includes('\0-N\0'));
}

export function sandboxFolder(server: SshServer, { name }: { name: string }): string {
  return join(server.home, '.hermes-sandboxes', name);
}

export function hasSandboxes(server: SshServer): boolean {
  return existsSync(join(server.home, '.hermes-sandboxes'));
}

/** Whether somebody carries the tag of the sandbox. */
export async function taggedProcesses(id: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const alive = await readlink(`/proc/${name}/exe`).catch(() => '');
    if (alive !== '' && environment.split('\0').includes(`HERMES_SANDBOX=${id}`)) found.push(Number(name));
  }
  return found;
}
