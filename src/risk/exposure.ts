// What a sandbox could hurt outside itself, and which findings matter there. Pure.
import type { Isolation, Network } from '../backends/backend.ts';
import { UNKNOWN } from './command.ts';
import { type Family, type Finding, families } from './finding.ts';

export interface ExposedMount {
  /** The folder of the host; absent = not known. */
  readonly source?: string;
  /** The folder inside the sandbox. */
  readonly target: string;
  readonly readOnly: boolean;
}

export interface Exposure {
  /** Nothing is contained: the whole of this machine, or of the one at the other end, can be hurt. */
  readonly isWhole: boolean;
  readonly mounts: readonly ExposedMount[];
  readonly network: Network;
  /** Names of variables with credentials that commands see. */
  readonly credentials: readonly string[];
}

/** The part of a sandbox's policy that decides; a `SandboxPolicy` fits. */
export interface ExposedPolicy {
  readonly isolation: Isolation;
  readonly network: { readonly value: Network };
  /** `/host:/inside[:ro|rw]` */
  readonly mounts: { readonly value: readonly string[] };
  readonly env: { readonly value: readonly string[] };
}

/** What is assumed of a sandbox that nobody has chosen yet: `auto` takes isolated ones only. */
export const NO_EXPOSURE: Exposure = { isWhole: false, mounts: [], network: 'none', credentials: [] };

/** `isDisposable`: the owner says that the machine at the other end may be lost. */
export function exposureOf(
  { isolation, network, mounts, env }: ExposedPolicy,
  { isDisposable }: { readonly isDisposable: boolean },
): Exposure {
  return {
    isWhole: isolation === 'none' || (isolation === 'remote' && !isDisposable),
    mounts: mounts.value.map(volume => {
      const [source = '', target = '', mode] = volume.split(':');
      return { source: withoutSlash(source), target: withoutSlash(target), readOnly: mode === 'ro' };
    }),
    network: network.value,
    credentials: env.value,
  };
}

function withoutSlash(path: string): string {
  return path.replace(/(.)\/+$/, '$1');
}

/** The families that an exposure brings back where everything else is contained. */
const BY_NETWORK: readonly Family[] = ['network', 'data', 'cloud', 'vcs', 'credentials'];
const BY_CREDENTIALS: readonly Family[] = ['credentials', 'cloud', 'vcs', 'data'];
const BY_FOLDERS: readonly Family[] = ['vcs', 'data'];

/** As what a finding matters here; undefined when the sandbox holds it. */
export function threatHere(finding: Finding, exposure: Exposure): Family | undefined {
  if (!hasWhatItNeeds(finding, exposure)) return undefined;
  if (exposure.isWhole) return finding.threatens;
  const { threatens, paths } = finding;
  if (paths?.some(path => mayLieIn(path, mountsFor(finding, exposure)))) return 'mounts';
  const isJudgedByPath = paths !== undefined && threatens !== 'network';
  return !isJudgedByPath && familiesOf(exposure).has(threatens) ? threatens : undefined;
}

/** Some findings are about forwarded credentials only. */
function hasWhatItNeeds({ onlyWith, variables = [] }: Finding, { isWhole, credentials }: Exposure): boolean {
  if (onlyWith === undefined) return true;
  if (onlyWith === 'everything') return isWhole;
  if (onlyWith === 'credentials') return credentials.length > 0;
  return credentials.some(each => variables.includes(each.split('=', 1)[0] ?? ''));
}

/** What is asked about there, in the order of the families. */
export function askedFamilies(exposure: Exposure): readonly Family[] {
  const all = Object.keys(families) as Family[]; // its own keys
  if (exposure.isWhole) return all.filter(family => family !== 'mounts');
  const brought = familiesOf(exposure);
  return all.filter(family => brought.has(family) || (family === 'mounts' && exposure.mounts.length > 0));
}

function familiesOf({ mounts, network, credentials }: Exposure): ReadonlySet<Family> {
  const brought = [
    ...(network === 'open' ? BY_NETWORK : []),
    ...(credentials.length > 0 ? BY_CREDENTIALS : []),
    ...(mounts.some(({ readOnly }) => !readOnly) ? BY_FOLDERS : []),
  ];
  // What cannot be told may be any of them.
  return new Set<Family>(brought.length > 0 || mounts.length > 0 ? [...brought, 'unresolved'] : []);
}

/** A folder that may only be read can give keys away; it cannot be changed. */
function mountsFor({ threatens }: Finding, { mounts }: Exposure): readonly ExposedMount[] {
  return threatens === 'credentials' ? mounts : mounts.filter(({ readOnly }) => !readOnly);
}

/** Relative and unknown paths may lie anywhere; a home folder may be mounted under its full name. */
function mayLieIn(path: string, mounts: readonly ExposedMount[]): boolean {
  if (mounts.length === 0) return false;
  if (/^\.\.?(?:\/|$)/.test(path) || path.startsWith(UNKNOWN)) return true;
  if (path.startsWith('~'))
    return mounts.some(({ target }) => /^\/(?:root|home|Users)(?:\/|$)|^\/$/.test(target));
  const fixed = path.replace(/\/?[^/]*[*?[{].*$/, '') || '/';
  return mounts.some(({ target }) => isBelow(fixed, target) || isBelow(target, fixed));
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** In words, for people. */
export function describeExposure({ isWhole, mounts, network, credentials }: Exposure): string {
  if (isWhole) return 'Nothing is contained there: everything that a command could harm is asked about.';
  const parts = [
    ...(network === 'open' ? ['an open network'] : []),
    ...mounts.map(({ target, readOnly }) => `${target} of the host${readOnly ? ', to be read' : ''}`),
    ...(credentials.length > 0 ? [`the values of ${credentials.join(', ')}`] : []),
  ];
  return parts.length === 0
    ? 'The sandbox reaches nothing outside itself.'
    : `The sandbox reaches: ${parts.join('; ')}.`;
}
