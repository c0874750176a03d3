// hermes people forget and pairing revoke: a person becomes a stranger again.
import { HermesError } from '../../../base/errors.ts';
import { personOf } from '../../../gateway/person-name.ts';
import type { Person } from '../../../store/people.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import { changePeople, personArgument, readPerson, stillAllowedBy } from './person.ts';

interface Forgotten {
  readonly person: string;
  /** The settings that let them in all the same. */
  readonly stillAllowedBy: string | null;
}

export const peopleForget = defineCommand({
  doc: 'Forgets what was decided about a person, whether they were let in or kept out, and the request that they have made.',
  flags: {},
  args: [personArgument],
  examples: [['people forget telegram:123456789', 'a stranger again']],
  run: ({ args }, context) => forget(args.person, context, { outcome: 'forgotten', fits: () => true }),
  render,
});

export const pairingRevoke = defineCommand({
  doc: 'Takes back that a person was let in. They can ask again; `people deny` keeps them out for good.',
  flags: {},
  args: [personArgument],
  examples: [['pairing revoke telegram:123456789', 'a stranger again']],
  run: ({ args }, context) =>
    forget(args.person, context, {
      outcome: 'revoked',
      fits: ({ standing }) => standing === 'allowed',
    }),
  render,
});

async function forget(
  typed: string,
  context: CommandContext,
  { outcome, fits }: { readonly outcome: string; readonly fits: (before: Person) => boolean },
): Promise<Forgotten> {
  const ref = readPerson(typed, await context.config());
  const person = personOf(ref);
  return changePeople(context, ({ config, store }) =>
    store.transaction(async inside => {
      const before = await inside.people.find(ref);
      if (!before || !fits(before)) throw nobody(person);
      await inside.people.forget(ref);
      await inside.pairings.removeOf(ref);
      await inside.audit.append({ actor: context.actor, action: 'people', subject: { id: person }, outcome });
      return { person, stillAllowedBy: stillAllowedBy(config, ref) ?? null };
    }),
  );
}

function nobody(person: string): HermesError {
  const message = `Nobody has decided so about ${person}. \`hermes people list\` shows whom there is something about.`;
  return new HermesError('USAGE_UNKNOWN_ID', message, { details: { person } });
}

function render({ person, stillAllowedBy: settings }: Forgotten): string {
  return settings === null
    ? `${person} is a stranger again.`
    : `What was decided about ${person} is forgotten, but ${settings} still lets them in.`;
}
