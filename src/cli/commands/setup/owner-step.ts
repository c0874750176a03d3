// The first owner: who answers the agent's questions and lets others in.
import { peopleRole } from '../people/decide.ts';
import { readPerson } from '../people/person.ts';
import { type StepResult, untilItWorks, type Wizard } from './step.ts';

const QUESTION =
  'Who is the owner, such as telegram:123456789? Enter alone: whoever opens the link of `hermes start`, or sends the code that it prints.';

/** `person`: undefined = they are asked for, where somebody can answer. */
export async function ownerStep(person: string | undefined, wizard: Wizard): Promise<StepResult> {
  const { context, prompter } = wizard;
  const kept: StepResult = {
    step: 'owner',
    outcome: 'kept',
    said: '`hermes people list` shows who it is',
  };
  if (person === undefined && !prompter) return kept;
  const done = await untilItWorks(wizard, async (): Promise<StepResult> => {
    const typed = person ?? (await prompter?.ask(QUESTION)) ?? '';
    if (typed === '') return kept;
    readPerson(typed, await context.config());
    await peopleRole.run({ flags: {}, args: { person: typed, role: 'owner' } }, context);
    return { step: 'owner', outcome: 'set', said: typed };
  });
  return done ?? kept;
}
