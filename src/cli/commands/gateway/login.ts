// hermes gateway login: a link that lets somebody into a chat that has no accounts of its own.
import { z } from 'zod';
import { HermesError } from '../../../base/errors.ts';
import { askGateway } from '../../../gateway/process/ask-gateway.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import { openForCommand } from '../installation.ts';
import { timeText } from '../wording.ts';

const invitation = z.object({ link: z.string(), expiresAt: z.number() });

export const gatewayLogin = defineCommand({
  doc: 'Makes a link that opens the web chat of the running gateway, once. Whoever opens it is this person from then on. A person who is not known yet may use the agent; --role says as what.',
  flags: {
    person: { type: 'text', value: 'name', doc: 'who opens it; else owner' },
    role: {
      type: 'text',
      value: 'owner|user',
      doc: 'of a person who is not known yet; else owner for owner, user for others',
    },
    platform: { type: 'text', value: 'name', doc: 'the platform; else web' },
  },
  args: [],
  examples: [
    ['gateway login', 'for yourself'],
    ['gateway login --person anna', 'for somebody else'],
  ],
  async run({ flags }, context) {
    const { person = 'owner', platform = 'web' } = flags;
    const role = roleOf(flags.role ?? (person === 'owner' ? 'owner' : 'user'));
    const { link, expiresAt } = await makeLink({ platform, person, role }, context);
    return { platform, person, link, expiresAt };
  },
  render: ({ link, person, expiresAt }) =>
    `${link}\nIt lets ${person} in, once, until ${timeText(expiresAt)}.`,
});

export interface Guest {
  readonly platform: string;
  readonly person: string;
  /** If they are not known yet. */
  readonly role: 'owner' | 'user';
}

/** Asks the running gateway for the link, and writes down who is not known. Throws what the gateway says instead. */
export async function makeLink(
  { platform, person, role }: Guest,
  context: CommandContext,
): Promise<z.infer<typeof invitation>> {
  const config = await context.config();
  const { world, close } = await openForCommand(config, context);
  try {
    const who = { platform, userId: person };
    const known = await world.store.people.find(who);
    if (known?.standing === 'denied') throw keptOut(`${platform}:${person}`);
    const made = invitation.parse(await askGateway(config.paths.home, { verb: 'invite', platform, person }));
    if (known) return made;
    const { actor } = context;
    await world.store.people.decide({ ...who, name: person, role, standing: 'allowed', decidedBy: actor });
    const subject = `${platform}:${person}`;
    await world.store.audit.append({ actor, action: 'allow', subject: { id: subject }, outcome: role });
    await askGateway(config.paths.home, { verb: 'people-changed' });
    return made;
  } finally {
    await close();
  }
}

function keptOut(person: string): HermesError {
  const message = `${person} is kept out, so that a link would lead nowhere. Let them in before: hermes people allow ${person}`;
  return new HermesError('DENIED_PERSON', message, { details: { person } });
}

function roleOf(text: string): 'owner' | 'user' {
  if (text === 'owner' || text === 'user') return text;
  throw new HermesError('USAGE_BAD_ARGUMENTS', '--role is one of owner, user.');
}
