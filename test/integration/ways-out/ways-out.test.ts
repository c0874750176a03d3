// P7: no secret leaves Hermes by any way. Each way out is driven with text that is full of secrets; it has to arrive, with
// marks in their place, and nothing that arrived anywhere may hold one.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries } from '../../../src/cli/commands/index.ts';
import type { OutgoingBody } from '../../../src/gateway/outgoing.ts';
import type { AuditAction } from '../../../src/store/audit.ts';
import { needService } from '../../services/use-service.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { type Collected, collect } from './collect.ts';
import { AS_GIVEN } from './columns.ts';
import { COMMANDS } from './commands.ts';
import { modelScript } from './model-script.ts';
import { isRedactedIn, secretsIn, spill } from './secrets.ts';
import { openStage, type Stage } from './stage.ts';
import { ASKING, type Place, WAYS } from './ways.ts';

/** Kinds of audit rows: what was spilled into one, or that nothing but ids of ours stands in it. */
const AUDIT: Readonly<Record<AuditAction, string | 'ids'>> = {
  command: 'terminal',
  tool: 'terminal',
  approval: 'approval',
  delivery: 'undelivered',
  files: 'ids',
  get: 'name',
  put: 'name',
  ...{ people: 'ids', pairing: 'ids', claim: 'ids', allow: 'ids' },
  ...{ suspend: 'ids', destroy: 'ids', delete: 'ids' },
};

/** Kinds of messages on their way to a chat, and what was spilled into one. */
const OUTBOX: Readonly<Record<OutgoingBody['kind'], string>> = {
  text: 'question',
  card: 'approval',
  live: 'live',
  edit: 'question',
  file: 'caption',
};

const PLUGIN = `export const createPlatform = (_, { name }) => ({
  name,
  warnings: [${JSON.stringify(spill('warning'))}],
  capabilities: {
    ...{ maxText: 1000, edits: false, editEveryMs: 0, buttons: false, maxButtonData: 0, typing: false },
    ...{ groups: false, threads: false, maxFileIn: 0, maxFileOut: 0, isPublic: false },
  },
  connect: async () => { throw new Error(${JSON.stringify(spill('platform'))}); },
});`;

describe('everything that leaves a gateway', () => {
  needService('bubblewrap');
  const stages: Stage[] = [];
  const all: Collected[] = [];
  let plugins: string;

  beforeAll(async () => {
    plugins = await mkdtemp(join(homedir(), '.hermes-ways-plugin-'));
    const module = join(plugins, 'broken.mjs');
    await writeFile(module, PLUGIN, { mode: 0o600 });
    const seen = Promise.withResolvers<unknown>();
    const script = modelScript({ seen: seen.promise });
    const GATEWAY_PLUGINS = JSON.stringify([{ name: 'broken', module }]);
    const contained = await openStage({ backend: 'bubblewrap', script, environment: { GATEWAY_PLUGINS } });
    const isLive = ({ text }: { text: string }): boolean => text.startsWith('way-live');
    seen.resolve(contained.telegram.whenSent(isLive, { timeoutMs: PATIENCE_MS }));
    stages.push(contained);
    all.push(await collect(contained, WAYS));
    const bare = await openStage({ backend: 'local', script, settings: 'approvals:\n  mode: smart\n' });
    stages.push(bare);
    all.push(await collect(bare, ASKING));
  });

  afterAll(async () => {
    for (const stage of stages) await stage.close();
    await rm(plugins, { recursive: true });
  });

  const at = (place: Place): string => all.map(({ texts }) => texts.get(place) ?? '').join('\n');

  const arrivals = Object.entries({ ...WAYS, ...ASKING }).flatMap(([way, { arrives }]) =>
    Object.entries(arrives).flatMap(([name, places]) => places.map(place => [way, name, place] as const)),
  );

  it.each(Object.keys({ ...WAYS, ...ASKING }))('is driven: %s', way => {
    expect(all.flatMap(({ failures }) => failures.get(way) ?? [])).toEqual([]);
  });

  it.each(arrivals)('arrives redacted: %s (%s), %s', (_, name, place) => {
    expect(isRedactedIn(at(place), name), at(place).slice(-3000)).toBe(true);
  });

  it('hides every planted value wherever something arrived', () => {
    const arrived = all.flatMap(({ texts }) => [...texts]);
    const leaks = arrived.flatMap(([place, text]) =>
      AS_GIVEN[place.replace('db ', '')] === undefined
        ? secretsIn(text).map(secret => `${place}: ${secret}`)
        : [],
    );
    expect(leaks).toEqual([]);
  });

  it('leaves no planted value in any file of the installation', () => {
    const files = all.flatMap(each => [...each.files]);
    expect(files.map(([path]) => path)).toContain('logs/gateway.log');
    expect(files.flatMap(([path, text]) => secretsIn(text).map(secret => `${path}: ${secret}`))).toEqual([]);
  });

  it.each(Object.entries(AUDIT).filter(([, name]) => name !== 'ids'))(
    'writes audit rows of the kind %s with marks (%s)',
    (kind, name) => {
      expect(all.some(({ audit }) => isRedactedIn(audit.get(kind) ?? '', name))).toBe(true);
    },
  );

  it.each(Object.entries(OUTBOX))('writes messages of the kind %s with marks (%s)', (kind, name) => {
    expect(all.some(({ outbox }) => isRedactedIn(outbox.get(kind) ?? '', name))).toBe(true);
  });

  it('knows every column, and why some are kept as they were given', () => {
    expect(Object.keys(AS_GIVEN).filter(column => !all[0]?.texts.has(`db ${column}`))).toEqual([]);
  });

  it('knows every command of the CLI', () => {
    expect(Object.keys(COMMANDS).toSorted()).toEqual(entries.map(({ path }) => path.join(' ')).toSorted());
  });
});
