// The driver behind the backend: makes sandboxes, finds them again, and says why it cannot.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Abortable } from '../../base/abortable.ts';
import type { SettingsReader } from '../../base/setting.ts';
import { isSomebodyElse } from '../as-owner.ts';
import type { AttachOptions, DriverContext, Limits, Sandbox, SandboxRef, SandboxSpec } from '../backend.ts';
import { withoutUnlimited } from '../limits.ts';
import type { section as terminal } from '../settings.ts';
import { WORKSPACE } from './arguments.ts';
import { type ConversionOptions, imageFile, isThere, readyImage } from './conversion.ts';
import { gone, notCreated, unavailable } from './faults.ts';
import { foldersBelow, isName, isWhole, type Label, makeFolder, nameOf, readLabel } from './folder.ts';
import { type ImageSource, imageSource } from './image.ts';
import type { Experience } from './instance.ts';
import { Life } from './life.ts';
import { checkMounts } from './mounts.ts';
import { findProgram, type Program } from './program.ts';
import { runsAsRoot } from './runs-as-root.ts';
import { singularitySandbox } from './sandbox.ts';
import { findScratch, ORDINARY_USER, type Scratch } from './scratch.ts';
import { seccompProfile } from './seccomp.ts';
import type { section as singularity } from './settings.ts';

export type SingularitySettings = SettingsReader<
  (typeof terminal)['settings'] & (typeof singularity)['settings']
>;

/** What every sandbox is promised. */
const PROCESSES = 256;
const IMAGES = 'images';

export class Driver {
  readonly experience: Experience = {};
  readonly #settings: SingularitySettings;
  readonly #context: DriverContext;
  readonly #lives = new Map<string, Life>();
  /** The program that was found to be somebody else than root. */
  #harmless: string | undefined;

  constructor(settings: SingularitySettings, context: DriverContext) {
    this.#settings = settings;
    this.#context = context;
  }

  async create(spec: SandboxSpec, { signal }: Abortable = {}): Promise<Sandbox> {
    signal?.throwIfAborted();
    const name = nameOf(spec.id);
    if (!isName(name))
      throw notCreated(`its id ${spec.id} cannot be the name of a folder`, 'Use letters and digits');
    const scratch = this.scratch();
    const label = await this.#labelOf(spec, scratch, signal);
    const folder = join(scratch.top, name);
    if (existsSync(folder)) throw notCreated(`there is one with the id ${spec.id} already`, 'Use another id');
    const life = this.#newLife(folder, label);
    try {
      await makeFolder(folder, label);
      await life.start(signal ? { signal } : {});
      await life.makeWorkdir();
    } catch (error) {
      await life.destroy();
      throw error;
    }
    this.#lives.set(name, life);
    return singularitySandbox(life, label, spec.env);
  }

  async attach(ref: SandboxRef, { signal, env = {} }: AttachOptions = {}): Promise<Sandbox> {
    const folder = this.#folderOf(ref);
    const label = isName(ref.name) ? await readLabel(folder, this.scratch()) : undefined;
    if (!label) throw gone(ref);
    const life = this.#lives.get(ref.name) ?? this.#newLife(folder, label);
    if (!isWhole(folder)) {
      await life.destroy();
      throw gone(ref);
    }
    await this.refuseRoot(this.scratch());
    await life.start(signal ? { signal } : {});
    this.#lives.set(ref.name, life);
    return singularitySandbox(life, label, env);
  }

  /** Without starting it first: what is half made or half removed could not be. */
  async destroy(ref: SandboxRef): Promise<void> {
    const folder = this.#folderOf(ref);
    const label = isName(ref.name) ? await readLabel(folder, this.scratch()) : undefined;
    if (label?.ref.id !== ref.id || label.ref.installation !== ref.installation) return;
    await (this.#lives.get(ref.name) ?? this.#newLife(folder, label)).destroy();
  }

  async *list(installation: string): AsyncIterable<SandboxRef> {
    for (const { ref } of await this.#labels(this.scratch()))
      if (ref.installation === installation) yield ref;
  }

  /** Instances outlive the gateway. */
  close(): void {
    this.#lives.clear();
  }

  /** Throws UNAVAILABLE_BACKEND where it is not installed. Looked for each time: it may be installed meanwhile. */
  program(): Program {
    return findProgram(this.#context.environment);
  }

  scratch(): Scratch {
    return findScratch(this.#settings.get('terminal.scratch_dir'), this.#context);
  }

  /** Whether sandboxes could be made without converting an image first. Throws SANDBOX_NOT_CREATED. */
  hasImage(name: string): boolean {
    return isThere(imageFile(this.#sourceOf(name), join(this.scratch().top, IMAGES)));
  }

  /** Before anything is made: what root does by path in a folder of somebody else's, that user can lead elsewhere. */
  async refuseRoot(scratch: Scratch): Promise<void> {
    const program = this.program();
    if (!isSomebodyElse(scratch) || this.#harmless === program.file) return;
    if (await runsAsRoot(program, this.#context))
      throw unavailable(
        `${program.file} would run as root in ${scratch.top}, which is somebody else’s`,
        ORDINARY_USER,
      );
    this.#harmless = program.file;
  }

  async #labels(scratch: Scratch): Promise<Label[]> {
    const folders = await foldersBelow(scratch.top);
    const labels = await Promise.all(folders.map(folder => readLabel(folder, scratch)));
    return labels.filter(label => label !== undefined);
  }

  #sourceOf(name: string): ImageSource {
    const { cwd, environment } = this.#context;
    return imageSource(name, { cwd, userHome: environment['HOME'] });
  }

  #folderOf(ref: SandboxRef): string {
    return join(this.scratch().top, ref.name);
  }

  #newLife(folder: string, label: Label): Life {
    const { name } = label.ref;
    const life: Life = new Life({
      ...{ folder, label, context: this.#context, experience: this.experience },
      filter: () => filterOf(label),
      program: () => this.program(),
      onDestroyed: () => {
        if (this.#lives.get(name) === life) this.#lives.delete(name);
      },
    });
    return life;
  }

  async #labelOf(spec: SandboxSpec, scratch: Scratch, signal: AbortSignal | undefined): Promise<Label> {
    const { id, installation, session, cwd, persistent } = spec;
    const { home, environment } = this.#context;
    const mounts = await checkMounts(spec.mounts, {
      own: [home, scratch.top],
      userHome: environment['HOME'],
    });
    const network = this.#networkOf(spec);
    const source = this.#sourceOf(spec.image ?? this.#settings.get('terminal.singularity_image'));
    const { top, uid, gid } = scratch;
    await this.refuseRoot(scratch);
    const options: ConversionOptions = {
      ...{ program: this.program(), folder: join(top, IMAGES), owner: scratch, context: this.#context },
      labels: () => this.#labels(scratch),
      locks: isSomebodyElse(scratch) ? home : join(top, IMAGES),
      ...(signal ? { signal } : {}),
    };
    const ref = {
      backend: 'singularity',
      id,
      name: nameOf(id),
      installation,
      ...(session === undefined ? {} : { session }),
    };
    return {
      ...{ ref, uid, gid, network, mounts, persistent },
      limits: this.#limitsOf(spec),
      workdir: cwd ?? this.#settings.get('terminal.cwd') ?? WORKSPACE,
      image: await readyImage(source, options),
    };
  }

  /** What the settings promise of every sandbox, unless more or less is asked for. */
  #limitsOf({ limits }: SandboxSpec): Limits {
    return withoutUnlimited({
      cpus: this.#settings.get('terminal.container_cpu'),
      memoryMiB: this.#settings.get('terminal.container_memory'),
      processes: PROCESSES,
      ...limits,
    });
  }

  #networkOf({ network }: SandboxSpec): string {
    const configured = this.#settings.get('terminal.singularity_network');
    if (network === 'none' || (network === undefined && configured === 'none')) return 'none';
    if (configured !== 'none') return configured;
    throw unavailable(
      'an open network is wanted, and none is named for it',
      'Set terminal.singularity_network to a CNI network that the administrator allows you (apptainer.conf: `allow net users`, `allow net networks`), or to host for this machine’s own network, or use the network none',
    );
  }
}

function filterOf({ mounts }: Label): string | undefined {
  return seccompProfile(process.arch, { refusesSetId: mounts.some(({ readOnly }) => !readOnly) });
}
