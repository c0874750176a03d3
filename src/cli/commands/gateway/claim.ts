// hermes gateway claim: the code that makes the first owner, from the running gateway.
import { z } from 'zod';
import { askGateway } from '../../../gateway/process/ask-gateway.ts';
import { defineCommand } from '../../command.ts';

const answer = z.object({ code: z.string().nullable() });

export const gatewayClaim = defineCommand({
  doc: 'Gives a new code that makes the first owner: whoever sends it to the bot in private. It counts once and for an hour; one from before counts no more. It is shown here and written nowhere.',
  flags: {},
  args: [],
  examples: [['gateway claim', 'where the system has started the gateway']],
  async run(_input, context) {
    const { home } = (await context.config()).paths;
    return answer.parse(await askGateway(home, { verb: 'claim' }));
  },
  render: ({ code }) =>
    code === null
      ? 'This installation has an owner already. `hermes people role PLATFORM:ID owner` makes another.'
      : `Send the bot, in private: /claim ${code}`,
});
