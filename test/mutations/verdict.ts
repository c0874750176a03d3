// What a test run says about a mutation. Only a named test that ran and failed by itself counts: a file that does not
// load proves nothing, and a hang costs every later reader minutes. Pure.
import { type Named, titlePattern } from './mutation.ts';

export interface TestOutcome {
  readonly title: string;
  /** The titles of those it is in. */
  readonly groups: readonly string[];
  readonly status: 'passed' | 'failed' | 'not-run';
  /** Of a failed test. */
  readonly messages: readonly string[];
}

export type RunOutcome =
  | {
      readonly kind: 'ended';
      readonly tests: readonly TestOutcome[];
      /** Errors outside any test, such as one while the file is loaded. */
      readonly problem: string;
    }
  | { readonly kind: 'hang' };

export type Verdict =
  | { readonly kind: 'caught' }
  | {
      readonly kind: 'survived' | 'hang' | 'not-run';
      /** Why it does not count. */
      readonly text: string;
    };

/** The worst of the named tests decides. */
export function verdictOf(named: Named, outcome: RunOutcome): Verdict {
  if (outcome.kind === 'hang') return { kind: 'hang', text: 'the run did not end in time' };
  const verdicts = named.tests.map(title => verdictOfTest(title, named, outcome));
  return verdicts.find(({ kind }) => kind !== 'caught') ?? { kind: 'caught' };
}

function verdictOfTest(
  title: string,
  { group }: Named,
  { tests, problem }: Extract<RunOutcome, { kind: 'ended' }>,
): Verdict {
  const meant = testsOf(title, group, tests);
  const failed = meant.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (first) {
    const isCaught = failed.some(({ messages }) => !messages.some(isTimeout));
    return isCaught ? { kind: 'caught' } : { kind: 'hang', text: `"${title}" ran into its time limit` };
  }
  if (meant.some(({ status }) => status === 'passed'))
    return { kind: 'survived', text: `"${title}" stays green` };
  return { kind: 'not-run', text: `"${title}" did not run${problem === '' ? '' : `: ${problem}`}` };
}

/** Why the tests cannot prove anything; undefined when each of them ran and is green. */
export function whyNotGreen({ group, tests }: Named, outcome: RunOutcome): string | undefined {
  if (outcome.kind === 'hang') return 'the run without a mutation did not end';
  for (const title of tests) {
    const meant = testsOf(title, group, outcome.tests);
    const [red] = meant.filter(({ status }) => status === 'failed');
    if (red) return `"${title}" is red without a mutation: ${red.messages[0] ?? ''}`;
    if (!meant.some(({ status }) => status === 'passed'))
      return `"${title}" does not run${outcome.problem === '' ? '' : `: ${outcome.problem}`}`;
  }
  return undefined;
}

function testsOf(
  title: string,
  group: string | undefined,
  tests: readonly TestOutcome[],
): readonly TestOutcome[] {
  const pattern = new RegExp(`^${titlePattern(title)}$`, 's');
  return tests.filter(
    test => pattern.test(test.title) && (group === undefined || test.groups.includes(group)),
  );
}

function isTimeout(message: string): boolean {
  return /\b(?:Test|Hook) timed out in \d+ ?ms/.test(message);
}
