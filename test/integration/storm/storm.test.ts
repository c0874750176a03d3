// P4, P5, P10, P12: an installation in a storm. In `npm test` a breeze: a few kills and locks on bubblewrap. `npm run soak` makes
// the storm of it, on every backend of HERMES_STORM_BACKENDS: a backend or a fault that cannot be had is a failure then.
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSeed } from '../../random.ts';
import { useDraws } from '../../seed.ts';
import { dockerCommand } from '../../services/docker.ts';
import type { LoopbackDockerAddress } from '../../services/docker-loopback.ts';
import { faketimeEnvironment } from '../../services/faketime.ts';
import { describeWith, useService } from '../../services/use-service.ts';
import { isSoak } from '../../soak.ts';
import { clockFault, diskFault, engineFault, lockFault, smallDisk } from '../../storm/faults.ts';
import { violationsOf } from '../../storm/invariants.ts';
import { clockFile, runStorm, type Storm, type StormOptions } from '../../storm/storm.ts';

const wanted = (name: string, ordinarily: string): string =>
  process.env[`HERMES_STORM_${name}`] || ordinarily;
const KILLS = Number(wanted('KILLS', '40'));
const CHATS = Number(wanted('CHATS', '200'));
const LONGEST_MS = Number(wanted('SECONDS', '900')) * 1000;
const BACKENDS = wanted('BACKENDS', 'bubblewrap docker').split(/[ ,]+/);
const DISK_MIB = 192;
/** After the last fault everything is still to be answered, looked at and removed. */
const TIMEOUT_MS = LONGEST_MS + 1_800_000;
const print = (text: string): void => console.log(`[storm] ${text}`);

function expectSurvived(
  { record, faults, failedStarts, told }: Storm,
  wantedFaults: readonly string[] = [],
): void {
  const violations = violationsOf(record);
  const figures = {
    ...{ seed: runSeed(), messages: record.said.length, effects: record.effects.length, kills: record.kills },
    ...{
      ...faults,
      failedStarts,
      repeats: record.shown.filter(({ text }) => text.startsWith('(repeated)')).length,
    },
    violations: violations.length,
  };
  print(JSON.stringify(figures));
  if (violations.length > 0) print(told.join('\n'));
  expect(violations, `HERMES_SEED=${runSeed()}`).toEqual([]);
  // A fault that never happened proves nothing.
  expect(wantedFaults.filter(fault => !(fault in faults))).toEqual([]);
}

describe.skipIf(isSoak)('a breeze', () => {
  describeWith('bubblewrap', () => {
    it('P12: on bubblewrap every message is answered or marked, and nothing is done twice', async () => {
      const home = await newHome();
      try {
        const storm = await runStorm({
          ...{ home, draws: useDraws(), chats: 4, kills: 3, longestMs: 30_000, print: () => undefined },
          environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' },
          faults: { lock: lockFault(home) },
          engineHas: async () => [],
        });
        expectSurvived(storm);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    }, 300_000);
  });
});

const TITLE = 'P12: on %s every message is answered or marked, and nothing is done twice';

describe.runIf(isSoak)('a storm', () => {
  it.each(BACKENDS)(TITLE, { timeout: TIMEOUT_MS }, async name => {
    const place = await placeOf(name);
    const { library } = await useService('faketime');
    const [home, folder] = [await newHome(), await mkdtemp(join(tmpdir(), 'hermes-storm-'))];
    const offset = await clockFile(folder);
    const disk = await smallDisk(home, DISK_MIB);
    try {
      const common = { lock: lockFault(home), disk: diskFault(home), clock: clockFault(offset) };
      const faults = place.engine ? { ...common, engine: engineFault(place.engine) } : common;
      const storm = await runStorm({
        ...{ home, faults, draws: useDraws(), chats: CHATS, kills: KILLS, longestMs: LONGEST_MS, print },
        environment: { ...place.environment, ...faketimeEnvironment(library, offset) },
        engineHas: place.engineHas,
      });
      expectSurvived(storm, Object.keys(faults));
    } finally {
      await disk.remove();
      for (const each of [home, folder]) await rm(each, { recursive: true, force: true });
    }
  });
});

/** Not in /tmp, of which sandboxes have their own. */
function newHome(): Promise<string> {
  return mkdtemp(join(homedir(), '.hermes-storm-'));
}

interface PlaceOfStorm extends Pick<StormOptions, 'environment' | 'engineHas'> {
  readonly engine?: LoopbackDockerAddress;
}

/** Throws where the backend cannot be had. */
async function placeOf(name: string): Promise<PlaceOfStorm> {
  if (name === 'docker') {
    const engine = await useService('docker-loopback');
    return {
      engine,
      environment: {
        ...{ GATEWAY_TERMINAL_BACKEND: 'docker', DOCKER_HOST: engine.docker.host },
        ...{ TERMINAL_DOCKER_IMAGE: engine.image, TERMINAL_CONTAINER_MEMORY: '64' },
      },
      async engineHas() {
        const containers = await dockerCommand(
          engine.docker,
          'ps',
          '--all',
          '--format',
          'container {{.Names}}',
        );
        const volumes = await dockerCommand(engine.docker, 'volume', 'ls', '--format', 'volume {{.Name}}');
        return `${containers}\n${volumes}`.split('\n').filter(line => line.includes('hermes'));
      },
    };
  }
  if (name !== 'bubblewrap') throw new Error(`There is no storm on ${name}: bubblewrap and docker.`);
  await useService('bubblewrap');
  return { environment: { GATEWAY_TERMINAL_BACKEND: 'bubblewrap' }, engineHas: async () => [] };
}
