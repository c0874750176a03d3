// Versions of programs with holes that concern us, as data. `hermes doctor` and `hermes security audit` compare with it.
import type { Program } from '../backends/backend.ts';

export interface Hole {
  /** As drivers name it in their inspection; `node` is the one that runs Hermes. */
  readonly program: string;
  readonly ids: readonly string[];
  /** The first version that has it; absent = from the beginning. */
  readonly since?: string;
  /** The first one without it, in each line of releases that was mended; other lines older than the newest of these have it. */
  readonly fixedIn: readonly string[];
  /** How many numbers name a line of releases: 2 for `1.3.x`. */
  readonly line: 1 | 2;
  /** `escape`: a way out of the sandbox. */
  readonly kind: 'escape' | 'other';
  readonly about: string;
}

export const knownHoles: readonly Hole[] = [
  {
    program: 'runc',
    ids: ['CVE-2024-21626'],
    fixedIn: ['1.1.12'],
    line: 2,
    kind: 'escape',
    about: 'a descriptor that is left open leads from a container to the files of the host',
  },
  {
    program: 'runc',
    ids: ['CVE-2025-31133', 'CVE-2025-52565', 'CVE-2025-52881'],
    fixedIn: ['1.2.8', '1.3.3', '1.4.0'],
    line: 2,
    kind: 'escape',
    about: 'mounts made while a container starts can be led to other places, and so out of it',
  },
  {
    program: 'runc',
    ids: ['CVE-2026-41579'],
    fixedIn: ['1.3.6', '1.4.3'],
    line: 2,
    kind: 'other',
    about: 'its advisory says what is threatened',
  },
  {
    program: 'docker',
    ids: ['CVE-2026-41567', 'CVE-2026-41568', 'CVE-2026-42306'],
    fixedIn: ['29.5.1'],
    line: 1,
    kind: 'other',
    about: 'copying files into a container can be turned against the host by what runs in it',
  },
  {
    program: 'bubblewrap',
    ids: ['CVE-2026-87766'],
    fixedIn: ['0.12.0'],
    line: 2,
    kind: 'other',
    about:
      'where folders are mounted inside others that a sandbox can write, files can be made outside of it',
  },
  {
    program: 'setuid bubblewrap',
    ids: ['CVE-2026-41163'],
    since: '0.11.0',
    fixedIn: ['0.11.2'],
    line: 2,
    kind: 'escape',
    about: 'while it has the rights of root, whoever starts it can take it over',
  },
  {
    program: 'node',
    ids: ['CVE-2026-48618', 'CVE-2026-48933', 'CVE-2026-48615', 'CVE-2026-48619'],
    fixedIn: ['22.23.0', '24.17.0', '26.3.1'],
    line: 1,
    kind: 'other',
    about: 'faults in TLS, WebCrypto and HTTP that others can use over the network',
  },
  {
    program: 'node',
    ids: ['CVE-2026-56846', 'CVE-2026-56848', 'CVE-2026-58043'],
    fixedIn: ['22.23.2', '24.18.1'],
    line: 1,
    kind: 'other',
    about: 'further faults in TLS and HTTP that others can use over the network',
  },
];

export interface FoundHole extends Hole {
  readonly version: string;
}

export function holesIn(programs: readonly Program[]): readonly FoundHole[] {
  return programs.flatMap(({ name, version }) =>
    knownHoles
      .filter(hole => hole.program === name && hasHole(version, hole))
      .map(hole => ({ ...hole, version })),
  );
}

/** In one line, with what to do. Distributions mend holes under an old number, which no program can see. */
export function holeText({ program, version, ids, about, fixedIn }: FoundHole): string {
  return `${program} ${version} has ${ids.join(', ')}: ${about}. Mended in ${fixedIn.join(', ')}.`;
}

export const HOLE_FIX =
  'Update it. A package of a distribution may have the fix under its old number: its changelog says so.';

/** One that does not say its number is taken for mended. */
export function hasHole(version: string, { since, fixedIn, line }: Hole): boolean {
  const own = numbersOf(version);
  if (own.length === 0) return false;
  if (since !== undefined && compare(own, numbersOf(since)) < 0) return false;
  const fixed = fixedIn.map(numbersOf).sort(compare);
  const sameLine = fixed.find(each => each.slice(0, line).every((number, at) => number === own[at]));
  const bound = sameLine ?? fixed.at(-1);
  return bound !== undefined && compare(own, bound) < 0;
}

/** `1.1.5+ds1` is 1.1.5, `v24.21.0` is 24.21.0. */
function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
