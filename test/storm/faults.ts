// What a storm does to an installation from outside, beside killing its gateway. Each fault has an end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { restartEngine } from '../integration/docker/restart-engine.ts';
import type { Draws } from '../seed.ts';
import { isErrno, runCommand } from '../services/command.ts';
import type { LoopbackDockerAddress } from '../services/docker-loopback.ts';
import { within } from '../wait.ts';

export type FaultName = 'kill' | 'kill-at-start' | 'lock' | 'disk' | 'clock' | 'engine';

export type Fault = (draws: Draws) => Promise<void>;

const LOCK_MS = 6_000;
const FULL_MS = 5_000;
const HOUR_S = 3600;
const CHUNK = Buffer.alloc(64 * 1024, 7);

/** Another process has the database for itself for some seconds. */
export function lockFault(home: string): Fault {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.argv[1], { timeout: 30000 });
    db.exec('BEGIN EXCLUSIVE');
    process.stdout.write('held');
    process.stdin.on('end', () => { db.exec('ROLLBACK'); db.close(); }).resume();`;
  return async draws => {
    const args = ['-e', program, join(home, 'state.db')];
    const holder: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = once(holder, 'close');
    try {
      if (holder.stdout) await within(once(holder.stdout, 'data'), 'another process holds the database');
      await draws.moment(LOCK_MS);
    } finally {
      holder.stdin?.end();
      await within(closed, 'the other process lets the database go');
    }
  };
}

/** A small disk of memory that can be filled; throws where it cannot be had. */
export async function smallDisk(path: string, mib: number): Promise<{ remove(): Promise<void> }> {
  await mkdir(path, { recursive: true });
  await runCommand(['mount', '-t', 'tmpfs', '-o', `size=${mib}m,mode=700`, 'tmpfs', path]);
  return { remove: async () => void (await runCommand(['umount', '--lazy', path])) };
}

/** Nothing more fits on the disk of the home for some seconds. */
export function diskFault(home: string): Fault {
  const filler = join(home, 'filler');
  return async draws => {
    try {
      await fill(filler);
      await draws.moment(FULL_MS);
    } finally {
      await rm(filler, { force: true });
    }
  };
}

async function fill(path: string): Promise<void> {
  try {
    for (;;) await writeFile(path, CHUNK, { flag: 'a' });
  } catch (error) {
    if (!isErrno(error, 'ENOSPC')) throw error;
  }
}

/** The gateway's clock alone, by libfaketime: up to a day back or ahead, and right again. */
export function clockFault(file: string): Fault {
  return async draws => {
    const hours = [-25, -3, -1, 1, 3][draws.below(5)] ?? 0;
    await writeFile(file, `${hours < 0 ? '-' : '+'}${Math.abs(hours) * HOUR_S}\n`);
    await draws.moment(FULL_MS);
    await writeFile(file, '+0\n');
  };
}

export function engineFault(address: LoopbackDockerAddress): Fault {
  return () => restartEngine(address);
}
