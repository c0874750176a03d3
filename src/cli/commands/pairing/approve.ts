// hermes pairing approve: lets in whoever was given the code.
import { HermesError } from '../../../base/errors.ts';
import { approveCode } from '../../../gateway/pairing.ts';
import { personOf } from '../../../gateway/person-name.ts';
import { defineCommand } from '../../command.ts';
import { changePeople, readPlatform } from '../people/person.ts';
import { plainLine, timeText } from '../wording.ts';

export const pairingApprove = defineCommand({
  doc: 'Lets in the person who was given the code. Their first message is answered by the running gateway, or at its next start. Five wrong codes lock approving for an hour.',
  flags: {},
  args: [
    { name: 'platform', doc: 'where they wrote' },
    { name: 'code', doc: 'that they were given' },
  ],
  examples: [['pairing approve telegram K7QM2XWP', 'as they have told you']],
  async run({ args }, context) {
    const platform = readPlatform(args.platform, await context.config());
    return changePeople(context, async ({ store }) => {
      const outcome = await approveCode(store, context.clock, {
        platform,
        code: args.code,
        by: context.actor,
      });
      if (outcome.kind === 'approved') {
        const { pairing } = outcome;
        return { person: personOf(pairing), name: pairing.name };
      }
      if (outcome.kind === 'locked') {
        const message = `Approving on ${platform} is locked until ${timeText(outcome.until)} after wrong codes. Wait, or let the person in by their id: hermes people allow ${platform}:ID`;
        throw new HermesError('DENIED_PERSON', message, { details: { platform, until: outcome.until } });
      }
      const message = `Nobody on ${platform} has this code, or it has expired. Tries left: ${outcome.triesLeft}. \`hermes pairing list\` shows who is waiting.`;
      throw new HermesError('USAGE_UNKNOWN_ID', message, { details: { platform } });
    });
  },
  render: ({ person, name }) => `${person} (${plainLine(name)}) may talk to the agent.`,
});
