// How the real tests are divided: parts run at the same time, each in a process with services of its own. Tests that share
// an engine or a browser take turns; the others have nothing in common, and several of them run at a time.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFiles } from '../test/test-files.ts';

export interface Part {
  readonly name: string;
  /** Of vitest.config.ts. */
  readonly project: 'real' | 'conformance';
  readonly files: readonly string[];
  /** How many files run at a time. */
  readonly workers: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What a run of this part does not try, in sentences. */
  readonly leavesOut?: readonly string[];
}

const root = join(import.meta.dirname, '..');
/** A service that is slow to start, restarted by tests, or heavy: a machine, a container engine, a browser. */
const ENGINE =
  /(describeWith|needService|useService)\(\s*'(docker|docker-loopback|image-\w+|gateway-image|podman|runsc|apptainer|\w+-machine|chromium)'/;

/** `wanted`: beginnings of the paths that were asked for; none = all. A part without files is left out. */
export function partsOf(wanted: readonly string[]): readonly Part[] {
  const real = filesOf(testFiles.real, wanted);
  const engines = real.filter(file => ENGINE.test(readFileSync(join(root, file), 'utf8')));
  const parts: readonly Part[] = [
    { name: 'engines', project: 'real', files: engines, workers: 1 },
    { name: 'others', project: 'real', files: real.filter(file => !engines.includes(file)), workers: 2 },
    {
      name: 'conformance',
      project: 'conformance',
      files: filesOf(testFiles.conformance, wanted),
      workers: 2,
      env: { HERMES_CONFORMANCE: 'sampled' },
      leavesOut: [
        'on each of ssh, singularity, modal and daytona: three quarters of the checks of the shell channel, and the others in one of its two modes: npm run conformance',
      ],
    },
  ];
  return parts.filter(({ files }) => files.length > 0);
}

function filesOf(patterns: readonly string[], wanted: readonly string[]): string[] {
  return globSync(patterns, { cwd: root })
    .filter(file => wanted.length === 0 || wanted.some(path => file.startsWith(path)))
    .toSorted();
}
