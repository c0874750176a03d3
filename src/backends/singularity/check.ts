// What stands in the way of this backend: found by making a sandbox, running a program in it and destroying it.
import type { Abortable } from '../../base/abortable.ts';
import { newId } from '../../base/ids.ts';
import { makeFolderAs } from '../as-owner.ts';
import type { Problem, SandboxSpec } from '../backend.ts';
import type { Driver, SingularitySettings } from './driver.ts';
import { notCreated, problemOf } from './faults.ts';
import { roomProblem } from './scratch.ts';

export async function checkBackend(
  driver: Driver,
  settings: SingularitySettings,
  { signal }: Abortable,
): Promise<readonly Problem[]> {
  try {
    const { name } = driver.program();
    const scratch = driver.scratch();
    await driver.refuseRoot(scratch);
    await makeFolderAs(scratch, scratch.top);
    const problems: (Problem | undefined)[] = [await roomProblem(scratch), hostNetwork(settings)];
    const image = settings.get('terminal.singularity_image');
    if (driver.hasImage(image)) {
      await tryOne(driver, signal);
      problems.push(noFilter(driver));
    } else problems.push(notConverted(image, name));
    return problems.filter(problem => problem !== undefined);
  } catch (error) {
    return [problemOf(error)];
  }
}

async function tryOne(driver: Driver, signal: AbortSignal | undefined): Promise<void> {
  const spec: SandboxSpec = {
    ...{ id: `check-${newId()}`, installation: 'check', network: 'none', persistent: true },
    ...{ limits: {}, mounts: [], env: {} },
  };
  const sandbox = await driver.create(spec, signal ? { signal } : {});
  try {
    const exit = await (await sandbox.spawn(['true'])).exit;
    if (!('code' in exit) || exit.code !== 0)
      throw notCreated(`a program in it ended with ${JSON.stringify(exit)}`, 'Use another image');
  } finally {
    await sandbox.destroy();
  }
}

function notConverted(image: string, program: string): Problem {
  return {
    message: `The image ${image} is not converted yet; the first sandbox does it, which may take minutes.`,
    fix: `Run \`${program} build image.sif ${image}\` and set terminal.singularity_image to the file, or wait for the first sandbox.`,
    severity: 'warning',
  };
}

function hostNetwork(settings: SingularitySettings): Problem | undefined {
  if (settings.get('terminal.singularity_network') !== 'host') return undefined;
  return {
    message: 'Sandboxes with an open network are in the network of this machine, and reach its loopback.',
    fix: 'Set terminal.singularity_network to a CNI network of its own, or to none.',
    severity: 'warning',
  };
}

function noFilter({ experience }: Driver): Problem | undefined {
  if (experience.isFiltered !== false) return undefined;
  return {
    message: 'Sandboxes run without a system call filter: this Apptainer, or this processor, has none.',
    fix: 'Install an Apptainer that was built with seccomp.',
    severity: 'warning',
  };
}
