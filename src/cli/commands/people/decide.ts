// hermes people allow, deny and role: what the operator decides about one person; it counts from the next message on.
import { HermesError } from '../../../base/errors.ts';
import { personOf } from '../../../gateway/person-name.ts';
import type { Person, PersonRef } from '../../../store/people.ts';
import type { Repositories } from '../../../store/store.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import { changePeople, personArgument, readPerson } from './person.ts';

type Choice = Pick<Person, 'role' | 'standing'>;

export const peopleAllow = defineCommand({
  doc: 'Lets a person talk to the agent. If they have asked already, their first message is answered now.',
  flags: {},
  args: [personArgument],
  examples: [['people allow telegram:123456789', 'from the next message on']],
  run: ({ args }, context) =>
    decide(args.person, context, before => ({ standing: 'allowed', role: before?.role ?? 'user' })),
  render: ({ person, role }) => `${person} may talk to the agent, as ${role}.`,
});

export const peopleDeny = defineCommand({
  doc: 'Keeps a person out, whatever else would let them in. They get no answer, and nobody is asked about them.',
  flags: {},
  args: [personArgument],
  examples: [['people deny telegram:123456789', 'from the next message on']],
  run: ({ args }, context) => decide(args.person, context, () => ({ standing: 'denied', role: 'user' })),
  render: ({ person }) => `${person} is kept out.`,
});

export const peopleRole = defineCommand({
  doc: 'Gives a person a role. Owners are asked about strangers and commands, and may let others in; users talk to the agent.',
  flags: {},
  args: [personArgument, { name: 'role', doc: 'owner or user', choices: ['owner', 'user'] }],
  examples: [
    ['people role telegram:123456789 owner', 'may answer questions of the agent'],
    ['people role telegram:123456789 user', 'not any more'],
  ],
  run({ args }, context) {
    const role = (['owner', 'user'] as const).find(each => each === args.role);
    if (!role) throw new HermesError('USAGE_BAD_ARGUMENTS', `There is no role ${args.role}: owner or user.`);
    return decide(args.person, context, before => {
      if (before?.standing !== 'denied') return { standing: 'allowed', role };
      const message = `${args.person} is kept out. Let them in before: hermes people allow ${args.person}`;
      throw new HermesError('USAGE_BAD_ARGUMENTS', message);
    });
  },
  render: ({ person, role }) => `${person} is ${role} now.`,
});

async function decide(
  typed: string,
  context: CommandContext,
  choose: (before: Person | undefined) => Choice,
): Promise<{ person: string } & Choice> {
  const ref = readPerson(typed, await context.config());
  return changePeople(context, ({ store }) =>
    store.transaction(async inside => {
      const choice = choose(await inside.people.find(ref));
      await inside.people.decide({ ...ref, ...choice, decidedBy: context.actor });
      await settleRequest(inside, ref, { ...choice, by: context.actor });
      const person = personOf(ref);
      const outcome = choice.standing === 'denied' ? 'denied' : choice.role;
      await inside.audit.append({ actor: context.actor, action: 'people', subject: { id: person }, outcome });
      return { person, ...choice };
    }),
  );
}

/** Whoever is let in has no need of a code any more: what they wrote is answered, or never will be. */
async function settleRequest(
  { pairings }: Repositories,
  ref: PersonRef,
  { standing, by }: Choice & { readonly by: string },
): Promise<void> {
  if (standing === 'denied') return pairings.removeOf(ref);
  const pending = await pairings.pending(ref.platform);
  const own = pending.find(({ userId }) => userId === ref.userId);
  if (own) await pairings.approve(own.id, by);
}
