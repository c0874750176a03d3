// What stands in the way of this backend: found by making a sandbox, running a program in it and destroying it.
import type { Abortable } from '../../base/abortable.ts';
import { newId } from '../../base/ids.ts';
import type { Problem, SandboxSpec } from '../backend.ts';
import type { Driver } from './driver.ts';
import { notCreated, problemOf } from './faults.ts';
import { type DaytonaSettings, diskNote } from './plan.ts';

export async function checkBackend(
  driver: Driver,
  settings: DaytonaSettings,
  { signal }: Abortable,
): Promise<readonly Problem[]> {
  try {
    await tryOne(driver, signal);
  } catch (error) {
    return [problemOf(error)];
  }
  const note = diskNote(settings.get('terminal.container_disk'), settings);
  if (note === undefined) return [];
  return [{ message: note, fix: 'Set terminal.container_disk to 10240 or less.', severity: 'warning' }];
}

async function tryOne(driver: Driver, signal: AbortSignal | undefined): Promise<void> {
  const spec: SandboxSpec = {
    ...{ id: `check-${newId()}`, installation: 'check', network: 'none', persistent: false },
    ...{ limits: {}, mounts: [], env: {}, idleSeconds: 60 },
  };
  const sandbox = await driver.create(spec, signal ? { signal } : {});
  try {
    const exit = await (await sandbox.spawn(['true'])).exit;
    if (!('code' in exit) || exit.code !== 0)
      throw notCreated(
        sandbox.ref.name,
        `a program in it ended with ${JSON.stringify(exit)}.`,
        'Use another image.',
      );
  } finally {
    await sandbox.destroy();
  }
}
