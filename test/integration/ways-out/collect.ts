// Drives ways out of a stage, calls every command of the CLI beside it, stops it, and keeps all that has arrived anywhere.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { textsByColumn } from './columns.ts';
import { COMMANDS } from './commands.ts';
import type { Stage } from './stage.ts';
import { type Place, sandboxOf, type Way } from './ways.ts';

export interface Collected {
  readonly texts: ReadonlyMap<Place, string>;
  /** By path below the home of the installation; the database and what holds the secrets by right are not among them. */
  readonly files: ReadonlyMap<string, string>;
  /** What kept a way, or a command, from being driven. */
  readonly failures: ReadonlyMap<string, unknown>;
  /** By kind: all rows. */
  readonly audit: ReadonlyMap<string, string>;
  readonly outbox: ReadonlyMap<string, string>;
}

/** Where the operator writes secrets down, the database, which is searched by column, and archives of both. */
const BY_RIGHT = /^(?:\.env|config\.yaml|state\.db.*|backups\/.*|sandboxes\/.*)$/;

export async function collect(stage: Stage, ways: Readonly<Record<string, Way>>): Promise<Collected> {
  const texts = new Map<Place, string>();
  const failures = new Map<string, unknown>();
  const heard = (place: Place, text: string): void => {
    texts.set(place, `${texts.get(place) ?? ''}\n${text}`);
  };
  for (const [name, { drive }] of Object.entries(ways)) {
    await drive(stage, heard).catch(error => failures.set(name, error));
  }
  const isRunning = (command: string): boolean => !ENTERING.includes(command);
  await callCommands(stage, heard, isRunning);
  for (const path of ['/metrics', '/healthz', '/readyz']) heard('http', `${path}\n${await stage.http(path)}`);
  await stage.stop();
  await callCommands(stage, heard, command => !isRunning(command));
  const { telegram, model, page, home } = stage;
  heard('chat', telegram.calls.map(({ params }) => JSON.stringify(params)).join('\n'));
  heard('model', model.requests.map(resultsIn).join('\n'));
  heard('page', page.frames.join('\n'));
  heard('log', await stage.log());
  heard('terminal of the gateway', stage.said());
  for (const [column, text] of textsByColumn(home)) heard(`db ${column}`, text);
  return {
    ...{ texts, failures, files: await filesIn(home) },
    audit: rowsBy(home, 'select action as kind, subject || outcome || details as text from audit'),
    outbox: rowsBy(home, `select json_extract(body, '$.kind') as kind, body as text from outbox`),
  };
}

/** They would end what the gateway does in the sandbox, so they are called when it has stopped. */
const ENTERING: readonly string[] = ['sandbox files', 'sandbox get', 'sandbox put', 'sandbox logs'];

/** Not its own words, which come back to it as it has written them. */
function resultsIn({ results, system, lastText }: Stage['model']['requests'][number]): string {
  return [system, lastText, ...results].join('\n');
}

async function callCommands(
  stage: Stage,
  heard: (place: Place, text: string) => void,
  isCalled: (command: string) => boolean,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-ways-'));
  const listed = (await stage.cli('session', 'list', '--json')).stdout;
  const { sessions } = JSON.parse(listed) as { sessions: readonly { id: string }[] }; // our own program's
  const shown = { sandbox: await sandboxOf(stage), session: sessions[0]?.id ?? '', folder };
  for (const [command, called] of Object.entries(COMMANDS)) {
    if (typeof called === 'string' || !isCalled(command)) continue;
    const [words, rest] = [command.split(' '), called(shown)];
    for (const json of [[], ['--json']]) {
      const { code, stdout, stderr } = await stage.cli(...words, ...json, ...rest);
      heard(`cli ${command}`, `exit ${code}\n${stdout}\n${stderr}`);
    }
  }
  await rm(folder, { recursive: true });
}

async function filesIn(home: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => entry.isFile())
    .map(entry => relative(home, join(entry.parentPath, entry.name)))
    .filter(path => !BY_RIGHT.test(path));
  const read = paths.map(async path => [path, await readFile(join(home, path), 'latin1')] as const);
  return new Map(await Promise.all(read));
}

function rowsBy(home: string, query: string): ReadonlyMap<string, string> {
  const db = new DatabaseSync(join(home, 'state.db'), { readOnly: true });
  const rows = db.prepare(query).all() as { kind: string; text: string }[]; // as the statement names them
  db.close();
  const kinds = new Map<string, string>();
  for (const { kind, text } of rows) kinds.set(kind, `${kinds.get(kind) ?? ''}\n${text}`);
  return kinds;
}
