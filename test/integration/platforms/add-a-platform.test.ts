// The page "add a platform": its example is compiled, linted, run through the conformance suite, and found by the program
// without a line outside its folder.
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsReader } from '../../../src/base/setting.ts';
import type { Platform, PlatformContext } from '../../../src/platforms/platform.ts';
import { allRules } from '../../architecture/all-rules.ts';
import { formatViolation, readProject } from '../../architecture/project.ts';
import { allProofs } from '../../conformance-platforms/checks/all-proofs.ts';
import type { Ground, Peer, Place, Seen } from '../../conformance-platforms/column.ts';
import { requirements } from '../../conformance-platforms/requirements.ts';
import { Trial } from '../../conformance-platforms/trial.ts';
import { RelayServer } from '../../doubles/relay-server.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { runProgram } from '../run-program.ts';
import { copyWithExample, exampleFiles } from './example-tree.ts';

interface Driver {
  createPlatform(settings: SettingsReader<never>, context: PlatformContext): Platform | undefined;
}

const PERSON = { chat: 'c-ada', isGroup: false, from: 'u-ada', name: 'Ada', isForUs: true };
const PLACES: Readonly<Record<Place, typeof PERSON>> = {
  private: PERSON,
  other: { ...PERSON, chat: 'c-bob', from: 'u-bob', name: 'Bob' },
  group: { ...PERSON, chat: 'c-team', isGroup: true },
  thread: PERSON,
};
/** What the other side of it cannot do, or the platform does not have. */
const has = (need: string): boolean =>
  [
    'groups',
    ...['otherSays', 'repeatLast', 'unacknowledged', 'failOnce', 'cut', 'restore', 'revoke', 'push'],
  ].includes(need);
const applicable = allProofs.filter(({ id }) => (requirements.get(id)?.needs ?? []).every(has));

let copy: string;
beforeAll(async () => {
  copy = await copyWithExample();
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function openGround(): Promise<Ground> {
  const relay = await RelayServer.start();
  const file = pathToFileURL(join(copy, 'src/platforms/relay/index.ts')).href;
  const { createPlatform } = (await import(file)) as Driver; // compiled by another test
  const settings: Record<string, string> = { 'relay.address': relay.address, 'relay.token': relay.token };
  return {
    create(context) {
      // Its settings are its own; what is read is in the record.
      const platform = createPlatform(
        { get: (key: string) => settings[key] } as SettingsReader<never>,
        context,
      );
      if (!platform) throw new Error('it is set up, and there is none');
      return platform;
    },
    secrets: [relay.token],
    peer: peerOf(relay),
    close: () => relay.close(),
  };
}

function peerOf(relay: RelayServer): Peer {
  const seen = (place: Place = 'private'): readonly Seen[] =>
    relay.sent
      .filter(({ chat }) => chat === PLACES[place].chat)
      .map(({ id, text }) => ({ id, text, buttons: [] }));
  return {
    say: async ({ text, place = 'private', isForBot }) =>
      relay.say({ ...PLACES[place], text, isForUs: isForBot !== 'no' }),
    seen,
    whenSeen: (holds, place) =>
      new Promise(resolve => {
        const look = (): void => {
          const found = seen(place).find(holds);
          if (!found) return;
          relay.watchers.delete(look);
          resolve(found);
        };
        relay.watchers.add(look);
        look();
      }),
    otherSays: async text => relay.say({ ...PLACES.other, text }),
    repeatLast: async () => relay.repeatLast(),
    unacknowledged: () => relay.unacknowledged,
    failOnce: () => relay.failOnce(),
    cut: () => relay.cut(),
    restore: () => relay.mend(),
    revoke: () => relay.revoke(),
    push: payload => relay.push(payload),
  };
}

describe('the platform of the page', () => {
  it('is five files in one folder', async () => {
    const paths = (await exampleFiles()).map(({ path }) => path.replace('src/platforms/relay/', ''));
    expect(paths).toEqual(['settings.ts', 'parse.ts', 'wire.ts', 'connection.ts', 'index.ts']);
  });

  it('compiles with the whole gateway, under the strict rules of the project', async () => {
    const config = { extends: './tsconfig.json', include: [], files: ['src/compose/gateway.ts'] };
    await writeFile(join(copy, 'tsconfig.example.json'), JSON.stringify(config));
    const tsc = join(copy, 'node_modules/.bin/tsc');
    const { code, stdout } = await runProgram([tsc, '--noEmit', '-p', 'tsconfig.example.json'], {
      cwd: copy,
    });
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });

  it('is formatted and linted as everything else, and keeps the rules of the architecture', async () => {
    const biome = join(copy, 'node_modules/.bin/biome');
    const { code, stdout, stderr } = await runProgram(
      [biome, 'check', '--vcs-enabled=false', 'src/platforms/relay'],
      {
        cwd: copy,
      },
    );
    expect(code, stdout + stderr).toBe(0);
    const project = readProject(copy);
    const violations = allRules.flatMap(rule => rule.check(project)).map(formatViolation);
    expect(violations.filter(text => text.includes('relay'))).toEqual([]);
  });

  it.for(applicable)('$id', async ({ check }) => {
    const trial = new Trial({ ground: await openGround(), patienceMs: PATIENCE_MS });
    try {
      await trial.within(check(trial), 'the check to end');
    } finally {
      await trial.close();
    }
  });

  it('is proved in most of what the suite knows', () => {
    const ids = applicable.map(({ id }) => id);
    for (const id of [
      'events.stored',
      'events.refused',
      'events.restart',
      'failures.reconnect',
      'text.resumed',
    ])
      expect(ids).toContain(id);
    expect(ids.length).toBeGreaterThanOrEqual(28);
  });

  it('is known to the program, which asks for its account and names its settings', async () => {
    const relay = await RelayServer.start();
    const home = join(tmpdir(), `relay-home-${process.pid}`);
    const env = { HERMES_HOME: home, RELAY_ADDRESS: relay.address, RELAY_TOKEN: relay.token };
    const hermes = (...words: string[]) =>
      runProgram([process.execPath, join(copy, 'bin/hermes.js'), ...words], { env });
    try {
      const doctor = await hermes('doctor', '--json');
      expect(doctor.stdout).toMatch(/relay.*connected as hermes/);
      expect(doctor.stdout).not.toContain(relay.token);
      expect((await hermes('config', 'show', '--json')).stdout).toContain('relay.allowed_users');
    } finally {
      await relay.close();
      await rm(home, { recursive: true, force: true });
    }
  });
});
