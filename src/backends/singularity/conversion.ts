// Converts images and keeps the result, so that each is converted once: under a lock, with progress and an end.
import { statSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Abortable } from '../../base/abortable.ts';
import { isHermesError } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { newId } from '../../base/ids.ts';
import { systemReason } from '../../base/system-reason.ts';
import { isSomebodyElse, makeFolderAs, moveAs, type Owner, removeAs, runAsOwner } from '../as-owner.ts';
import type { DriverContext } from '../backend.ts';
import { notCreated } from './faults.ts';
import type { Label } from './folder.ts';
import { convertedName, type ImageSource } from './image.ts';
import { complaintIn, loadingEnvironment, type Program, runProgram, succeeded } from './program.ts';
import { removeUnusedImages } from './unused-images.ts';

const LIMIT_MS = 30 * 60_000;
/** Others take a lock over that has not been touched for a minute. */
const TOUCH_MS = 15_000;
/** Without it no instance starts from a folder. */
const OF_FOLDERS = '.singularity.d/actions/start';

export interface ConversionOptions extends Abortable {
  readonly program: Program;
  /** Where converted images are kept. */
  readonly folder: string;
  readonly owner: Owner;
  /** Where it is written down who converts what: a folder of our own. */
  readonly locks: string;
  /** Of every sandbox there is, whosever it is. */
  readonly labels: () => Promise<readonly Label[]>;
  readonly context: Pick<DriverContext, 'environment' | 'progress' | 'clock'>;
}

/** Where the image is, or would be once it is converted. Throws SANDBOX_NOT_CREATED when there is no such file. */
export function imageFile(source: ImageSource, folder: string): string {
  if (source.kind === 'here') {
    if (aboutFile(source.path).isDirectory() && !isThere(join(source.path, OF_FOLDERS)))
      throw notCreated(
        `the folder ${source.path} is not one that Apptainer has made`,
        'Make it with `apptainer build --sandbox FOLDER docker://…`, or use an image file',
      );
    return source.path;
  }
  const about = source.archive === undefined ? undefined : aboutFile(source.archive);
  return join(folder, convertedName(source.uri, about ? `${about.size}-${about.mtimeMs}` : ''));
}

export function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The image as a file or folder of this machine. Throws SANDBOX_NOT_CREATED. */
export async function readyImage(source: ImageSource, options: ConversionOptions): Promise<string> {
  const file = imageFile(source, options.folder);
  if (source.kind === 'here') return file;
  if (isThere(file)) {
    await touchImage(file, options);
    return file;
  }
  await makeFolderAs(options.owner, options.folder);
  await inTurn(file, options, async () => {
    if (isThere(file)) return;
    await convert(source.uri, file, options);
    const gone = await removeUnusedImages(options.folder, {
      labels: await options.labels(),
      now: options.context.clock.now(),
      owner: options.owner,
    });
    if (gone.length > 0) options.context.progress(`Removed images that nobody used: ${gone.join(', ')}.`);
  });
  return file;
}

/** What is not touched for long is taken for unused. */
async function touchImage(file: string, options: ConversionOptions): Promise<void> {
  if (isSomebodyElse(options.owner)) await runAsOwner(options.owner, ['touch', '-c', '--', file]);
  else markUsed(file, options);
}

function markUsed(file: string, { context: { clock } }: ConversionOptions): void {
  const now = clock.now() / 1000;
  utimesSync(file, now, now);
}

function aboutFile(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    const fix =
      'Set terminal.singularity_image to an image file, a folder, or a name such as docker://debian:12';
    throw notCreated(`the image ${path} cannot be read: ${systemReason(error)}`, fix, error);
  }
}

/** Waits as long as somebody else is converting the same. */
async function inTurn(file: string, options: ConversionOptions, work: () => Promise<void>): Promise<void> {
  const { clock, progress } = options.context;
  const end = clock.monotonic() + LIMIT_MS;
  const lock = join(options.locks, basename(file));
  for (;;) {
    options.signal?.throwIfAborted();
    try {
      return await withFileLock(lock, clock, () => touching(`${lock}.lock`, options, work));
    } catch (error) {
      if (!isHermesError(error, 'UNAVAILABLE_LOCK') || clock.monotonic() > end) throw error;
      progress(`Another process is converting the image into ${file}; waiting for it.`);
    }
  }
}

async function touching<T>(lock: string, options: ConversionOptions, work: () => Promise<T>): Promise<T> {
  let timer = options.context.clock.after(0, () => undefined);
  const touch = (): void => {
    markUsed(lock, options);
    timer = options.context.clock.after(TOUCH_MS, touch);
  };
  touch();
  try {
    return await work();
  } finally {
    timer.cancel();
  }
}

/** Into a folder of its own, so that an image is there whole or not at all. What a crash has left goes first. */
async function convert(uri: string, file: string, options: ConversionOptions): Promise<void> {
  const { program, owner, signal, context } = options;
  const { clock, environment, progress } = context;
  for (const name of await readdir(options.folder)) {
    const path = join(options.folder, name);
    if (path.startsWith(`${file}.`) && path.endsWith('.part')) await removeAs(owner, [path]);
  }
  const part = `${file}.${newId()}.part`;
  await makeFolderAs(owner, part);
  progress(`Converting the image ${uri}; this is done once and may take minutes.`);
  const made = join(part, 'image.sif');
  try {
    const done = await runProgram([program.file, 'build', '--disable-cache', made, uri], {
      env: loadingEnvironment(environment, program.path, part),
      clock,
      timeoutMs: LIMIT_MS,
      ...(signal ? { signal } : {}),
      onLine: line => progress(line.replace(/^INFO:\s*/, '')),
    });
    if (done.timedOut)
      throw notCreated(
        `the image ${uri} was not converted within ${LIMIT_MS / 60_000} minutes`,
        `Run \`${program.name} build image.sif ${uri}\` by hand and set terminal.singularity_image to the file`,
      );
    if (!succeeded(done))
      throw notCreated(
        `the image ${uri} could not be converted, ${program.name} says: ${complaintIn(done.said)}`,
        `Check its name and the way to it, and the room in ${options.folder}; \`${program.name} build image.sif ${uri}\` shows the same`,
      );
    await moveAs(owner, made, file);
  } finally {
    await removeAs(owner, [part]);
  }
}
