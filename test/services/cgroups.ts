// Finds control groups of a test run, on cgroup v1 and v2.
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from './command.ts';

/** Control groups of the run and all below them, deepest first: the order in which they can be removed. */
export async function cgroupsOf(runId: string): Promise<string[]> {
  const top = '/sys/fs/cgroup';
  // v2 has one tree here; v1 has a tree per controller, some under a second name that is a symbolic link.
  const trees = [top, ...(await foldersIn(top)).map(name => join(top, name))];
  const found: string[] = [];
  for (const tree of trees) {
    for (const name of await foldersIn(tree)) {
      if (name.startsWith(runId)) found.push(...(await withChildren(join(tree, name))));
    }
  }
  return found;
}

/** Processes of the run's containers: those do not inherit its environment. */
export async function processesInCgroupsOf(runId: string): Promise<Set<number>> {
  const pids = new Set<number>();
  for (const group of await cgroupsOf(runId)) {
    for (const line of (await readFile(join(group, 'cgroup.procs'), 'utf8')).split('\n')) {
      if (line) pids.add(Number(line));
    }
  }
  return pids;
}

async function withChildren(group: string): Promise<string[]> {
  const below: string[] = [];
  for (const name of await foldersIn(group)) below.push(...(await withChildren(join(group, name))));
  return [...below, group];
}

async function foldersIn(path: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EACCES')) return [];
    throw error;
  }
  return entries.filter(entry => entry.isDirectory()).map(entry => entry.name);
}
