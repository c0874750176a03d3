// hermes approvals allowed and revoke: what was allowed for good, by an answer or by hand, and taking it back.
import { HermesError } from '../../../base/errors.ts';
import { removeFromList } from '../../../config/save.ts';
import { isShape } from '../../../risk/patterns.ts';
import { defineCommand } from '../../command.ts';
import { tellGateway } from '../tell-gateway.ts';

export const approvalsAllowed = defineCommand({
  doc: 'Lists what is never asked about: programs that were learned with their flags, whole commands, and patterns.',
  flags: {},
  args: [],
  examples: [['approvals allowed', 'each with the number for `approvals revoke`']],
  run: async (_input, context) => {
    const entries = (await context.config()).get('command_allowlist');
    return { entries: entries.map((entry, at) => ({ number: at + 1, kind: kindOf(entry), entry })) };
  },
  render: ({ entries }) =>
    entries.length === 0
      ? 'Nothing is allowed for good.'
      : entries.map(({ number, kind, entry }) => `${number}  ${kind.padEnd(7)}  ${entry}`).join('\n'),
});

export const approvalsRevoke = defineCommand({
  doc: 'Takes back an entry of command_allowlist, so that it is asked about again, also by the gateway that is running.',
  flags: {},
  args: [{ name: 'entry', doc: 'its number in `approvals allowed`, or the entry itself' }],
  examples: [
    ['approvals revoke 2', 'by its number'],
    ["approvals revoke 'npm run *'", 'by its text'],
  ],
  run: async ({ args }, context) => {
    const config = await context.config();
    const entries = config.get('command_allowlist');
    const entry = entries.find(each => each === args.entry) ?? entries[Number(args.entry) - 1];
    const isRemoved =
      entry !== undefined &&
      (await removeFromList('command_allowlist', entry, { paths: config.paths, clock: context.clock }));
    if (!isRemoved || entry === undefined)
      throw new HermesError(
        'USAGE_UNKNOWN_ID',
        `command_allowlist has no entry ${args.entry}. \`hermes approvals allowed\` lists them.`,
        {
          details: { entry: args.entry },
        },
      );
    await tellGateway(config, { verb: 'revoke-allowed', entry }, context);
    return { entry, file: config.paths.config };
  },
  render: ({ entry, file }) => `Revoked: ${entry}  (${file})`,
});

function kindOf(entry: string): 'learned' | 'pattern' | 'command' {
  if (isShape(entry)) return 'learned';
  return /(?<!\\)\*/.test(entry) ? 'pattern' : 'command';
}
