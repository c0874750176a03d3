// Credentials as they come from standard input. Pure.
import { docsPath } from '../../../base/docs-path.ts';
import { HermesError } from '../../../base/errors.ts';
import { parseDotenv } from '../../../config/dotenv-file.ts';
import type { Connectable } from '../../../platforms/credentials.ts';
import type { Candidate } from './step.ts';

/**
 * A line NAME=VALUE each, by variable or by key; where the platform needs one only, it may stand alone. Throws
 * USAGE_BAD_ARGUMENTS for what is none, and never with a value.
 */
export function readCredentials(text: string, { name, credentials }: Connectable): Candidate {
  if (text.trim() === '') return {};
  const keys = new Map(
    credentials.flatMap(({ key, variable }) => [[key, key] as const, [variable ?? key, key] as const]),
  );
  const [only, ...others] = credentials;
  const isAssigned = [...keys.keys()].some(known => text.trimStart().startsWith(`${known}=`));
  if (only && others.length === 0 && !isAssigned) return { [only.key]: text.trim() };
  const { values, problems } = parseDotenv(text, 'standard input');
  const [problem] = problems;
  if (problem) throw refused(`${problem.where}: ${problem.message}.`, name, [...keys.keys()]);
  return Object.fromEntries(
    [...values].map(([given, { value }]) => {
      const key = keys.get(given);
      if (key === undefined) throw refused(`${given} is no credential of ${name}.`, name, [...keys.keys()]);
      return [key, value];
    }),
  );
}

function refused(what: string, name: string, known: readonly string[]): HermesError {
  const accepted = `Accepted: NAME=VALUE in a line each, with one of ${known.join(', ')}.`;
  return new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `${what} ${accepted} See ${docsPath(`platforms/${name}.md`)}`,
  );
}
