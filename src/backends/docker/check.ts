// What stands in the way of this backend, and how to mend it.

import type { Abortable } from '../../base/abortable.ts';
import { HermesError } from '../../base/errors.ts';
import type { Problem } from '../backend.ts';
import type { Info } from './answers.ts';
import { type Engine, EngineUnreachable, isOlder, OLDEST_VERSION } from './engine.ts';
import { adviceFor } from './faults.ts';
import { findImage } from './image.ts';

export interface CheckParts {
  readonly engine: Engine;
  readonly image: string;
  readonly info: () => Promise<Info>;
}

export async function checkEngine(
  { engine, image, info }: CheckParts,
  { signal }: Abortable,
): Promise<Problem[]> {
  try {
    const { version } = await engine.connect();
    if (isOlder(version, OLDEST_VERSION)) {
      return [
        {
          message: `The Docker engine speaks version ${version} of its API, and ${OLDEST_VERSION} is needed.`,
          fix: 'Install Docker 19.03 or newer.',
        },
      ];
    }
    const problems = limitProblems(await info());
    if (await findImage(engine, image, signal)) return problems;
    return [
      ...problems,
      {
        message: `The image ${image} is not on this engine yet; the first sandbox pulls it.`,
        fix: `Run \`docker pull ${image}\`, or set terminal.docker_image to one that is there.`,
        severity: 'warning',
      },
    ];
  } catch (error) {
    if (error instanceof EngineUnreachable) return [adviceFor(error)];
    if (error instanceof HermesError) return [{ message: error.message, fix: 'Mend that and try again.' }];
    const text = error instanceof Error ? error.message : String(error);
    return [
      { message: `The Docker engine answers with an error: ${text}.`, fix: 'Look at the engine’s log.' },
    ];
  }
}

const CONTROLLERS = [
  { key: 'MemoryLimit', limits: 'memory', controller: 'memory' },
  { key: 'CpuCfsQuota', limits: 'processors', controller: 'cpu' },
  { key: 'PidsLimit', limits: 'processes', controller: 'pids' },
] as const;

/** None of them keeps sandboxes from being made; what does not hold is told by each sandbox as well. */
export function limitProblems(info: Info): Problem[] {
  const missing = CONTROLLERS.filter(({ key }) => !info[key]).map(
    ({ limits, controller }): Problem => ({
      message: `This engine cannot limit ${limits}: the cgroup controller ${controller} is missing.`,
      fix: `Enable the controller: with rootless Docker delegate it (\`Delegate=cpu cpuset io memory pids\` for user@.service), else boot with \`cgroup_enable=${controller}\`.`,
      severity: 'warning',
    }),
  );
  const hasSeccomp = info.SecurityOptions?.some(option => option.includes('seccomp')) ?? true;
  if (hasSeccomp) return missing;
  return [
    ...missing,
    {
      message: 'This engine runs containers without a seccomp filter.',
      fix: 'Use a kernel and an engine with seccomp, and no `seccomp-profile=unconfined` in its configuration.',
      severity: 'warning',
    },
  ];
}
