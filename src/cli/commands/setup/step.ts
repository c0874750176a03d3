// What the steps of the set-up share: settings that are tried before they are saved, and what came of a step.
import { isHermesError } from '../../../base/errors.ts';
import type { CommandContext } from '../../command.ts';
import { changeSetting } from '../config/change-setting.ts';
import type { Prompter } from '../prompter.ts';

export interface StepResult {
  readonly step: 'model' | 'chat' | 'backend' | 'owner';
  /** `set`: tried and saved. `kept`: nothing was changed. */
  readonly outcome: 'set' | 'kept';
  readonly said: string;
}

export interface Wizard {
  readonly context: CommandContext;
  /** Undefined = nobody is there, or nobody wants to be asked. */
  readonly prompter: Prompter | undefined;
}

/** By dotted key, as text. */
export type Candidate = Readonly<Record<string, string>>;

/** The same context with these settings in force, as if they were saved. */
export function trying(candidate: Candidate, context: CommandContext): CommandContext {
  const flags = Object.fromEntries(
    Object.entries(candidate).map(([key, text]) => [key, { flag: 'hermes setup', text }]),
  );
  return { ...context, config: more => context.config({ ...flags, ...more }) };
}

export async function save(candidate: Candidate, context: CommandContext): Promise<void> {
  for (const [key, text] of Object.entries(candidate)) await changeSetting(key, text, context);
}

/** Who is asked may try again after a failure, or leave it as it is (undefined). Nobody there = the failure is thrown. */
export async function untilItWorks<T>(
  { context, prompter }: Wizard,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!prompter || !isHermesError(error) || context.signal.aborted) throw error;
      context.warn(error.message);
      if (!(await prompter.confirm('Try again?'))) return undefined;
    }
  }
}
