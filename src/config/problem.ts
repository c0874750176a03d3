// What is wrong with a configuration, collected so that one error can list all of it.
import { HermesError } from '../base/errors.ts';

export interface Problem {
  /** `config.yaml:3`, `environment variable X`, `flag --backend`. */
  readonly where: string;
  /** The setting or variable concerned, where one could be recognised. */
  readonly key?: string;
  /** What stands there; secrets masked. */
  readonly value?: string;
  readonly message: string;
  readonly accepted?: string;
  readonly nearest?: string;
}

export function configInvalid(found: readonly Problem[]): HermesError {
  const problems = found.toSorted((a, b) => a.where.localeCompare(b.where, 'en', { numeric: true }));
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const text = problems.map(problem => describeProblem(problem)).join('\n');
  return new HermesError('CONFIG_INVALID', `The configuration has ${count}; nothing was started.\n${text}`, {
    details: { problems },
  });
}

export function describeProblem(problem: Problem): string {
  const what = [problem.key, problem.value].filter(part => part !== undefined).join(' = ');
  const lines = [`  ${problem.where}`, `    ${what ? `${what}: ` : ''}${problem.message}`];
  if (problem.accepted) lines.push(`    accepted: ${problem.accepted}`);
  if (problem.nearest) lines.push(`    did you mean ${problem.nearest}?`);
  return lines.join('\n');
}

const LONGEST_VALUE = 60;

/** A value as a problem shows it: short, on one line, and never a secret. */
export function showValue(value: unknown, secret = false): string {
  if (secret) return '***';
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > LONGEST_VALUE ? `${shown.slice(0, LONGEST_VALUE)}…` : shown;
}
