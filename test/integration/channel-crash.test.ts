// What becomes of commands when their gateway is gone: seen on `local`, whose channel is that of every backend.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { ifThere } from '../../src/base/if-there.ts';
import { type Sandbox, SandboxHandle, type SandboxProcess } from '../../src/index.ts';
import type { Ground } from '../conformance/column.ts';
import { column } from '../conformance/columns/local.ts';
import { LONG_MS, newMarker, spelled, Trial } from '../conformance/trial.ts';
import { PATIENCE_MS } from '../wait.ts';

let ground: Ground;
let trial: Trial;
beforeEach(async () => {
  ground = await column.open();
  trial = new Trial({ ground, mode: 'one-shot', patienceMs: 30_000 });
});
afterEach(async () => {
  await trial.close();
  await ground.close();
});

/** A gateway's connection to a sandbox, and its processes there. */
async function connect(
  sandbox: Sandbox,
  options: { readonly owner: string; readonly endEarlier?: string },
): Promise<{ readonly handle: SandboxHandle; readonly processes: readonly SandboxProcess[] }> {
  const processes: SandboxProcess[] = [];
  const seen: Sandbox = {
    ...sandbox,
    spawn: async (argv, given) => {
      const process = await sandbox.spawn(argv, given);
      processes.push(process);
      return process;
    },
  };
  const handle = await SandboxHandle.open({ sandbox: seen, clock: systemClock, ...options });
  return { handle, processes };
}

/** Where the lanes that run a command have written it down. */
async function recordsOf(channel: string): Promise<readonly string[]> {
  const entries = await readdir(channel, { withFileTypes: true });
  const files = entries.filter(each => each.isDirectory()).map(({ name }) => join(channel, name, 'running'));
  const texts = await Promise.all(files.map(file => ifThere(readFile(file, 'utf8'))));
  return files.filter((_, at) => texts[at]?.startsWith('run '));
}

const forever = { timeoutMs: LONG_MS } as const;

describe('P6: a gateway that hangs', () => {
  it.each(['one-shot', 'persistent'] as const)(
    'leaves its %s command to the next one, which ends it, says so once, and can work',
    async mode => {
      const sandbox = await trial.create();
      const earlier = await connect(sandbox, { owner: 'gateway-1' });
      const [marker, kept] = [newMarker(), newMarker()];
      await earlier.handle.start(`sleep ${kept}`);
      const persistent = mode === 'persistent';
      await earlier.handle.exec('state=kept', { ...forever, persistent: true });
      const lost = earlier.handle.exec(`sleep ${spelled(marker)}; echo AFTER`, { ...forever, persistent });
      await trial.running(marker);
      const later = await connect(sandbox, { owner: 'gateway-2', endEarlier: 'gateway-*' });
      expect(later.handle.takeCutOff()).toBe(1);
      expect(await ground.processes(marker)).toEqual([]);
      expect(await ground.processes(kept)).not.toEqual([]);
      const next = await later.handle.exec('echo "$state"', { persistent: true, timeoutMs: PATIENCE_MS });
      expect(next).toMatchObject({ outcome: 'exited', stdout: 'kept\n' });
      expect((await lost).stdout).not.toContain('AFTER');
      const third = await connect(sandbox, { owner: 'gateway-3', endEarlier: 'gateway-*' });
      expect(third.handle.takeCutOff()).toBe(0);
      for (const { handle } of [earlier, later, third]) await handle.detach();
    },
  );

  it('does not keep a command of somebody else from going on', async () => {
    const sandbox = await trial.create();
    const other = await connect(sandbox, { owner: 'command-1' });
    const marker = newMarker();
    const running = other.handle.exec(`sleep ${spelled(marker)}`, forever);
    await trial.running(marker);
    const later = await connect(sandbox, { owner: 'gateway-2', endEarlier: 'gateway-*' });
    expect(later.handle.takeCutOff()).toBe(0);
    expect(await ground.processes(marker)).not.toEqual([]);
    await sandbox.destroy();
    await running;
  });

  it('is told that a command is over when its time has been for a while', async () => {
    const sandbox = await trial.create();
    const { handle } = await connect(sandbox, { owner: 'gateway-1' });
    const marker = newMarker();
    const running = handle.exec(`sleep ${spelled(marker)}`, forever);
    await trial.running(marker);
    // As if the limit had passed long ago: `run TAG MODE DEADLINE …`.
    const [file = ''] = await recordsOf(sandbox.channelDir);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^(run \w+ \w+) \d+/, '$1 1'));
    expect(await trial.within(running, 'the sandbox itself ends it')).toMatchObject({
      outcome: 'signaled',
      signal: 'SIGKILL',
    });
    expect(await ground.processes(marker)).toEqual([]);
    await handle.detach();
  });
});

describe('P9: a command that waits for the persistent shell of a sandbox', () => {
  it('is said not to have begun when its time is over, and never begins', async () => {
    const sandbox = await trial.create();
    const other = await connect(sandbox, { owner: 'gateway-1' });
    const marker = newMarker();
    const before = other.handle.exec(`sleep ${spelled(marker)}; echo through`, {
      ...forever,
      persistent: true,
    });
    await trial.running(marker);
    const { handle, passTime } = await trial.enter(sandbox);
    const waiting = handle.exec(': >begun', { ...forever, persistent: true });
    const both = async (): Promise<boolean> => (await recordsOf(sandbox.channelDir)).length === 2;
    await trial.until(both, 'it waits');
    passTime();
    const result = await trial.within(waiting, 'its time is over');
    expect(result).toMatchObject({ outcome: 'timed-out', interrupted: 'unbegun', stdout: '' });
    for (const pid of await ground.processes(marker)) process.kill(pid, 'SIGKILL');
    expect(await trial.within(before, 'the one before is over')).toMatchObject({ stdout: 'through\n' });
    const next = await handle.exec('ls begun', { persistent: true, timeoutMs: PATIENCE_MS });
    expect(next).toMatchObject({ outcome: 'exited', stdout: '' });
    await other.handle.detach();
  });
});

describe('P6: a gateway that is gone', () => {
  it.each(['one-shot', 'persistent'] as const)('takes its %s command along, and no job', async mode => {
    const sandbox = await trial.create();
    const { handle, processes } = await connect(sandbox, { owner: 'gateway-1' });
    const [marker, kept] = [newMarker(), newMarker()];
    await handle.start(`sleep ${kept}`);
    const persistent = mode === 'persistent';
    const lost = handle.exec(`( setsid sleep ${spelled(marker)} & ); sleep ${spelled(marker)}; echo AFTER`, {
      ...forever,
      persistent,
    });
    await trial.running(marker, 2);
    for (const process of processes) process.end();
    await trial.gone(marker);
    expect(await ground.processes(kept)).not.toEqual([]);
    expect((await lost).outcome).not.toBe('exited');
    const later = await connect(sandbox, { owner: 'gateway-2', endEarlier: 'gateway-*' });
    expect(later.handle.takeCutOff()).toBe(1);
    await later.handle.detach();
  });
});
