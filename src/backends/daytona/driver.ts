// The driver behind the backend: makes sandboxes, finds them again, and leaves nothing behind that is billed.
import type { Abortable } from '../../base/abortable.ts';
import { isHermesError } from '../../base/errors.ts';
import { shellQuote } from '../../base/shell-quote.ts';
import type {
  AttachOptions,
  DriverContext,
  Enforcement,
  Sandbox,
  SandboxRef,
  SandboxSpec,
} from '../backend.ts';
import { type Box, Cloud, MAKE_MS, WAKE_MS } from './cloud.ts';
import { ApiFault, gone, notCreated } from './faults.ts';
import { type DaytonaSettings, LABEL, ofSnapshot, type Plan, planOf, refOf, refOfLabels } from './plan.ts';
import { daytonaSandbox, failedWords } from './sandbox.ts';
import type { ImportClients } from './sdk.ts';
import { conditionOf } from './states.ts';

/**
 * Creates the folder that commands start in, `$dir`. Snapshots of Daytona run as the user daytona, who may not write into `/`
 * but may use sudo without a password. A folder that exists keeps its owner. Where it cannot be written: the user and the home
 * folder, a line each.
 */
const MAKE_FOLDER = `mkdir -p -- "$dir" 2>/dev/null
[ -e "$dir" ] || sudo -n install -d -o "$(id -u)" -g "$(id -g)" -- "$dir" 2>/dev/null
[ -d "$dir" ] && [ -w "$dir" ] && exit 0
printf '%s\\n' "$(id -un)" "$HOME"
exit 1`;

/** What a sandbox of the cloud may be called. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$/;

export class Driver {
  readonly #settings: DaytonaSettings;
  readonly #context: DriverContext;
  readonly #cloud: Cloud;

  constructor(settings: DaytonaSettings, context: DriverContext, importing: ImportClients) {
    this.#settings = settings;
    this.#context = context;
    this.#cloud = new Cloud({
      apiUrl: settings.get('terminal.daytona_api_url').replace(/\/$/, ''),
      key: settings.get('terminal.daytona_api_key'),
      target: settings.get('terminal.daytona_target'),
      clock: context.clock,
      importing,
    });
  }

  async create(spec: SandboxSpec, { signal }: Abortable = {}): Promise<Sandbox> {
    signal?.throwIfAborted();
    const ref = refOf(spec);
    if (!SAFE_ID.test(spec.id))
      throw notCreated(ref.name, `its id ${spec.id} cannot be a name there.`, 'Use letters and digits.');
    const plan = planOf(spec, this.#settings);
    if (plan.note !== undefined) this.#context.progress(plan.note);
    try {
      const box = await this.#make(ref, plan, signal);
      return this.#sandbox(ref, box, { ...plan, env: spec.env });
    } catch (error) {
      if (isTaken(error))
        throw notCreated(ref.name, 'there is one of that name already.', 'Use another id.', error);
      await this.#removeHalfMade(ref, error);
      throw this.#cloud.asCreationError(ref.name, error);
    }
  }

  async attach(ref: SandboxRef, { signal, env = {} }: AttachOptions = {}): Promise<Sandbox> {
    const cloud = this.#cloud;
    try {
      const found = await this.#own(ref, signal);
      if (!found) throw gone(ref);
      if (conditionOf(found.state) === 'failed' && !found.recoverable) throw gone(ref, failedWords(found));
      const box = await cloud.wake(found, { limitMs: WAKE_MS, signal });
      if (!box) throw gone(ref);
      const workdir = box.labels[LABEL.workdir] ?? '/';
      return this.#sandbox(ref, box, { workdir, env, enforcement: this.#enforcementOf(box) });
    } catch (error) {
      if (error instanceof ApiFault && error.status === 422)
        throw gone(ref, `is of no use any more: ${error.message}`, error);
      throw cloud.asError(error);
    }
  }

  async *list(installation: string, { signal }: Abortable = {}): AsyncIterable<SandboxRef> {
    try {
      for await (const { name, labels } of this.#cloud.list(installation, signal)) {
        const ref = refOfLabels(name, labels);
        if (ref?.installation === installation) yield ref;
      }
    } catch (error) {
      throw this.#cloud.asError(error);
    }
  }

  /** Whatever its state; what is not ours is left alone. */
  async destroy(ref: SandboxRef, { signal }: Abortable = {}): Promise<void> {
    try {
      const found = await this.#own(ref, signal);
      if (found) await this.#cloud.remove(found.id, signal);
    } catch (error) {
      throw this.#cloud.asError(error);
    }
  }

  async #make({ name }: SandboxRef, plan: Plan, signal: AbortSignal | undefined): Promise<Box> {
    const made = await this.#cloud.make({ ...plan.body, name });
    signal?.throwIfAborted();
    if (conditionOf(made.state) === 'soon')
      this.#context.progress(`${name} is ${made.state ?? 'being made'} at Daytona`);
    const box = await this.#cloud.wake(made, { limitMs: MAKE_MS, signal });
    if (!box) throw notCreated(name, 'it vanished while it was being made.', 'Try again.');
    await this.#makeWorkdir(box, plan.workdir, signal);
    return box;
  }

  /** Throws SANDBOX_NOT_CREATED when commands have nowhere to start. */
  async #makeWorkdir(box: Box, workdir: string, signal: AbortSignal | undefined): Promise<void> {
    const script = `dir=${shellQuote(workdir)}\n${MAKE_FOLDER}`;
    const { exitCode, output } = await this.#cloud.execute(await this.#cloud.toolbox(box), script, signal);
    if (exitCode === 0) return;
    const [user = '', home = ''] = output.trim().split('\n');
    const text = `the user ${user || 'of the image'} can neither create nor write the folder ${workdir} in it.`;
    const example = home.startsWith('/') ? `, such as ${home}/workspace` : '';
    const fix = `Set terminal.cwd to a folder that this user may create${example}, or use an image with the usual POSIX tools.`;
    throw notCreated(box.name, text, fix);
  }

  /** A sandbox that nobody will ever use is not to be paid for. What cannot be removed now is found by its labels later. */
  async #removeHalfMade(ref: SandboxRef, cause: unknown): Promise<void> {
    if (isHermesError(cause, 'UNAVAILABLE_BACKEND')) return;
    if (cause instanceof ApiFault && cause.status === 401) return;
    try {
      await this.destroy(ref);
    } catch (error) {
      if (!isHermesError(error)) throw error;
      this.#context.progress(`${ref.name} may be left at Daytona: ${error.message}`);
    }
  }

  async #own(
    { name, id, installation }: SandboxRef,
    signal: AbortSignal | undefined,
  ): Promise<Box | undefined> {
    const found = await this.#cloud.find(name, signal);
    if (!found || conditionOf(found.state) === 'gone') return undefined;
    const ref = refOfLabels(name, found.labels);
    return ref?.id === id && ref.installation === installation ? found : undefined;
  }

  #enforcementOf({ cpu, memory, disk, snapshot, buildInfo }: Box): Enforcement {
    if (snapshot !== undefined && !buildInfo) return ofSnapshot;
    const limits = { cpus: cpu, memoryMiB: memory * 1024, diskMiB: disk * 1024 };
    const spec = { id: '', installation: '', limits, mounts: [], env: {}, persistent: true };
    return planOf(spec, this.#settings).enforcement;
  }

  #sandbox(
    ref: SandboxRef,
    box: Box,
    { workdir, env, enforcement }: Pick<Sandbox, 'workdir' | 'env' | 'enforcement'>,
  ): Sandbox {
    const { clock } = this.#context;
    return daytonaSandbox({ cloud: this.#cloud, clock, ref, box, workdir, env, enforcement });
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiFault && error.status === 409;
}
