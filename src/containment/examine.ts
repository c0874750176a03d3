// Examines a backend as `hermes doctor` does: what stands in the way by its own word, and whether a sandbox can really be
// made, run a command and be removed.
import type { Backend, Enforcement, Isolation, Problem, Program, SandboxSpec } from '../backends/backend.ts';
import type { Clock } from '../base/clock.ts';
import { type HermesError, isHermesError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { SandboxHandle } from '../sandboxes/handle.ts';

export interface Examination {
  readonly backend: string;
  readonly isolation: Isolation;
  /** Of the program or engine behind it. */
  readonly version?: string;
  /** Empty, or warnings only = it works. */
  readonly problems: readonly Problem[];
  /** Of the sandbox that was made; absent when there was none. */
  readonly limits?: Enforcement;
  /** Behind it; absent when it does not tell. */
  readonly programs?: readonly Program[];
  /** From asking for the sandbox to its first result. */
  readonly readyMs?: number;
}

export interface ExamineOptions {
  readonly backend: Backend;
  readonly spec: Partial<SandboxSpec>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const COMMAND_MS = 30_000;
const FIX = 'The message says what to do; the page of the backend in docs/backends has more.';

export async function examineBackend(options: ExamineOptions): Promise<Examination> {
  const { backend, signal } = options;
  const about = { backend: backend.name, isolation: backend.capabilities.isolation };
  try {
    const problems = await backend.check(signal ? { signal } : {});
    if (problems.some(isError)) return { ...about, problems };
    const version = await backend.version?.();
    const inspection = await backend.inspect?.(signal ? { signal } : {});
    const run = await runOnce(options);
    return {
      ...about,
      ...(version === undefined ? {} : { version }),
      ...(inspection === undefined ? {} : { programs: inspection.programs }),
      ...run,
      problems: [...problems, ...run.problems],
    };
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { ...about, problems: [asProblem(error)] };
  } finally {
    await backend.close();
  }
}

async function runOnce({
  backend,
  spec,
  clock,
  signal,
}: ExamineOptions): Promise<Pick<Examination, 'problems' | 'limits' | 'readyMs'>> {
  const startedAt = clock.monotonic();
  const whole: SandboxSpec = {
    id: newId(),
    installation: 'doctor',
    limits: {},
    mounts: [],
    env: {},
    persistent: false,
    ...spec,
  };
  const sandbox = await backend.create(whole, signal ? { signal } : {});
  try {
    const handle = await SandboxHandle.open({ sandbox, clock });
    const result = await handle.exec('echo "$((6 * 7))"', {
      timeoutMs: COMMAND_MS,
      ...(signal ? { signal } : {}),
    });
    const readyMs = Math.round(clock.monotonic() - startedAt);
    await handle.destroy();
    const problems = result.stdout === '42\n' ? [] : [wrongResult(result.outcome, result.stderr)];
    return { problems, limits: sandbox.enforcement, readyMs };
  } finally {
    await sandbox.destroy();
  }
}

/** Whether it keeps sandboxes from being made. */
function isError({ severity }: Problem): boolean {
  return severity !== 'warning';
}

function wrongResult(outcome: string, stderr: string): Problem {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return {
    message: `A sandbox was made, but its first command ended as ${outcome}. ${said}`.trim(),
    fix: FIX,
  };
}

export function asProblem(error: HermesError): Problem {
  const { fix } = error.details;
  return { message: error.message, fix: typeof fix === 'string' ? fix : FIX };
}
