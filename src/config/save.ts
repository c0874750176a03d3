// Changes one setting in the files: comments and order stay, the write is atomic, secrets go to `.env`.
import { isMap, isSeq, parseDocument } from 'yaml';
import type { Clock } from '../base/clock.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import { withFileLock } from '../base/file-lock.ts';
import { ensurePrivateDir, writePrivateFile } from '../base/private-files.ts';
import type { Setting } from '../base/setting.ts';
import { systemReason } from '../base/system-reason.ts';
import type { ConfigPaths } from './config.ts';
import { readIfThere } from './read-file.ts';

export interface SaveOptions {
  readonly paths: ConfigPaths;
  readonly clock: Clock;
}

/** Writes (or, with undefined, removes) a setting and returns the file it went to. The value is a checked one. */
export async function saveSetting(
  key: string,
  setting: Setting<unknown>,
  value: unknown,
  { paths, clock }: SaveOptions,
): Promise<string> {
  const toDotenv = setting.secret === true && setting.env !== undefined;
  const file = toDotenv ? paths.dotenv : paths.config;
  await changeFile(file, { paths, clock }, before =>
    toDotenv ? withVariable(before, setting.env ?? key, value) : withYamlValue(before, key, value, file),
  );
  return file;
}

/** Adds an entry to a list of config.yaml as it is now, whoever else has added to it since it was read. */
export async function addToList(key: string, entry: string, { paths, clock }: SaveOptions): Promise<void> {
  const file = paths.config;
  await changeFile(file, { paths, clock }, before => {
    const written: unknown = parseDocument(before).getIn(key.split('.'));
    const list = isSeq(written) ? (written.toJSON() as unknown[]) : []; // a sequence is a list
    return list.includes(entry) ? before : withYamlValue(before, key, [...list, entry], file);
  });
}

/** Removes an entry from a list of config.yaml; false when it was not in it. */
export async function removeFromList(
  key: string,
  entry: string,
  { paths, clock }: SaveOptions,
): Promise<boolean> {
  const file = paths.config;
  let isRemoved = false;
  await changeFile(file, { paths, clock }, before => {
    const written: unknown = parseDocument(before).getIn(key.split('.'));
    const list = isSeq(written) ? (written.toJSON() as unknown[]) : []; // a sequence is a list
    isRemoved = list.includes(entry);
    return isRemoved
      ? withYamlValue(
          before,
          key,
          list.filter(each => each !== entry),
          file,
        )
      : before;
  });
  return isRemoved;
}

async function changeFile(
  file: string,
  { paths, clock }: SaveOptions,
  change: (before: string) => string,
): Promise<void> {
  try {
    await ensurePrivateDir(paths.home);
    await withFileLock(file, clock, async () =>
      writePrivateFile(file, change((await readIfThere(file)) ?? '')),
    );
  } catch (error) {
    if (isHermesError(error)) throw error;
    throw new HermesError('CONFIG_NOT_SAVED', `${file} was not changed: ${systemReason(error)}.`, {
      details: { file },
      cause: error,
    });
  }
}

export function withYamlValue(text: string, key: string, value: unknown, file: string): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw notChangeable(file, 'it is not valid YAML', document.errors[0]);
  if (document.contents !== null && !isMap(document.contents)) throw notChangeable(file, 'it is no mapping');
  const path = key.split('.');
  const above = path.slice(0, -1);
  const section = above.length > 0 ? document.getIn(above) : undefined;
  // A section that is there but empty is a null, which nothing can be put into.
  if (section === null) document.deleteIn(above);
  else if (section !== undefined && !isMap(section)) {
    throw notChangeable(file, `${above.join('.')} in it is not written out as a section`);
  }
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
  return document.toString({ lineWidth: 0 });
}

function notChangeable(file: string, reason: string, cause?: unknown): HermesError {
  const message = `${file} was not changed: ${reason}. Run \`hermes config check\` and mend it by hand.`;
  return new HermesError('CONFIG_NOT_SAVED', message, { details: { file }, cause });
}

export function withVariable(text: string, name: string, value: unknown): string {
  const line = value === undefined ? undefined : `${name}=${quoteForDotenv(String(value))}`;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const isIt = (candidate: string): boolean => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(candidate);
  const kept = lines.flatMap(candidate => (isIt(candidate) ? [] : [candidate]));
  const at = lines.findIndex(isIt);
  if (line !== undefined) kept.splice(at === -1 ? kept.length : at, 0, line);
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

function quoteForDotenv(value: string): string {
  if (/^[\w.:/@+=-]+$/.test(value)) return value;
  // Between double quotes a backslash has a meaning of its own.
  const quote = ["'", '`', '"'].find(
    candidate => !value.includes(candidate) && !(candidate === '"' && value.includes('\\')),
  );
  if (quote === undefined || /[\r\n\0]/.test(value)) {
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      'A value for .env cannot hold line breaks or all three kinds of quotes.',
    );
  }
  return quote + value + quote;
}
