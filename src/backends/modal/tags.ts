// Whose a sandbox is: tags on it, and the name by which it is found again even when the answer to its creation was lost.
import type { SandboxRef, SandboxSpec } from '../backend.ts';
import type { Plan, Tags } from './plan.ts';

const BACKEND = 'modal';
const PREFIX = 'hermes-';
const TAG = {
  installation: 'hermes-installation',
  session: 'hermes-session',
  sandbox: 'hermes-sandbox',
  workdir: 'hermes-workdir',
  shape: 'hermes-shape',
} as const;

/** A name of the service is shorter than 64 characters. */
const SAFE_ID = /^[A-Za-z0-9][\w.-]{0,55}$/;
const SAFE_VALUE = /^[A-Za-z0-9][\w.-]*$/;
/** Before what was encoded; no value of ours begins so. */
const ENCODED = 'b64.';

/** Undefined when the id cannot be part of a name. */
export function refOf({
  id,
  installation,
  session,
}: Pick<SandboxSpec, 'id' | 'installation' | 'session'>): SandboxRef | undefined {
  if (!SAFE_ID.test(id)) return undefined;
  const whose = session === undefined ? {} : { session };
  return { backend: BACKEND, id, name: `${PREFIX}${id}`, installation, ...whose };
}

/** What the service calls it, whatever the reference says besides. */
export function nameOf({ id }: Pick<SandboxRef, 'id'>): string {
  return `${PREFIX}${id}`;
}

export function tagsOf({ id, installation, session }: SandboxRef, plan: Plan): Tags {
  return {
    ...installationTag(installation),
    [TAG.sandbox]: toTag(id),
    [TAG.workdir]: toTag(plan.workdir),
    [TAG.shape]: shapeText(plan),
    ...(session === undefined ? {} : { [TAG.session]: toTag(session) }),
  };
}

export function installationTag(installation: string): Record<string, string> {
  return { [TAG.installation]: toTag(installation) };
}

/** What a sandbox may do and how long, as far as it must be the same when it is made again. */
export type Shape = Pick<Plan, 'network' | 'cpus' | 'memoryMiB' | 'idleSeconds' | 'lifeSeconds'>;

export interface Tagged {
  readonly ref: SandboxRef;
  readonly workdir: string;
  readonly shape: Shape;
}

/** Undefined for tags that are not ours. */
export function readTags(tags: Tags): Tagged | undefined {
  const read = (name: string): string | undefined => {
    const value = tags[name];
    return value === undefined ? undefined : fromTag(value);
  };
  const [id, installation, workdir] = [read(TAG.sandbox), read(TAG.installation), read(TAG.workdir)];
  if (id === undefined || installation === undefined || workdir === undefined) return undefined;
  const session = read(TAG.session);
  const ref = refOf({ id, installation, ...(session === undefined ? {} : { session }) });
  const shape = readShape(tags[TAG.shape] ?? '');
  return ref && shape && { ref, workdir, shape };
}

function shapeText({ network, cpus, memoryMiB, idleSeconds, lifeSeconds }: Shape): string {
  return [network, cpus, memoryMiB, idleSeconds, lifeSeconds].join('_');
}

function readShape(text: string): Shape | undefined {
  const [network, ...rest] = text.split('_');
  const numbers = rest.map(Number);
  const [cpus = 0, memoryMiB = 0, idleSeconds = 0, lifeSeconds = 0] = numbers;
  if (network !== 'none' && network !== 'open') return undefined;
  if (numbers.length !== 4 || !numbers.every(number => number > 0)) return undefined;
  return { network, cpus, memoryMiB, idleSeconds, lifeSeconds };
}

function toTag(value: string): string {
  if (SAFE_VALUE.test(value) && !value.startsWith(ENCODED)) return value;
  return ENCODED + Buffer.from(value, 'utf8').toString('base64url');
}

function fromTag(value: string): string {
  if (!value.startsWith(ENCODED)) return value;
  return Buffer.from(value.slice(ENCODED.length), 'base64url').toString('utf8');
}
