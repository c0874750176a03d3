// hermes approvals approve and deny: whoever may use the CLI of this installation is its owner.
import { z } from 'zod';
import type { Decision } from '../../../approvals/desk.ts';
import { HermesError, isHermesError } from '../../../base/errors.ts';
import { type CommandContext, defineCommand } from '../../command.ts';
import { pickById } from '../find-by-id.ts';
import { withWorld } from '../installation.ts';

const id = { name: 'id', doc: 'of the approval, or its first characters' } as const;
const SCOPES = ['once', 'session', 'always'] as const;

export const approvalsApprove = defineCommand({
  doc: 'Says yes to a question. `once`: this command, now. `session`: also the same on the same kind of target for as long as the conversation lasts. `always`: from now on, saved to command_allowlist: an unknown program with these flags on files of the work, else this exact command. `hermes approvals allowed` lists what was saved.',
  flags: { scope: { type: 'text', value: 'once|session|always', doc: 'how far it reaches; else once' } },
  args: [id],
  examples: [
    ['approvals approve k3v9', 'this once'],
    ['approvals approve k3v9 --scope session', 'for this conversation'],
  ],
  run({ flags, args }, context) {
    const scope = SCOPES.find(each => each === (flags.scope ?? 'once'));
    if (!scope) throw new HermesError('USAGE_BAD_ARGUMENTS', `--scope is one of ${SCOPES.join(', ')}.`);
    return answer(args.id, { kind: 'approve', scope }, context);
  },
  render: ({ text }) => text,
});

export const approvalsDeny = defineCommand({
  doc: 'Says no to a question; the reason is told to the agent.',
  flags: { reason: { type: 'text', value: 'words', doc: 'why not' } },
  args: [id],
  examples: [['approvals deny k3v9 --reason "use the staging database"', 'with a reason']],
  run: ({ flags, args }, context) =>
    answer(
      args.id,
      { kind: 'deny', ...(flags.reason === undefined ? {} : { reason: flags.reason }) },
      context,
    ),
  render: ({ text }) => text,
});

const outcomeOfAnswer = z.object({ counted: z.boolean(), text: z.string() });

/** By the running gateway, so that whoever waits goes on at once; undefined when it leaves that to us. */
async function answerThere(
  { home, inside }: { readonly home: string; readonly inside: CommandContext['inside'] },
  approval: string,
  decision: Decision,
) {
  if (inside) return inside.answerApproval(approval, decision);
  const { askGateway } = await import('../../../gateway/process/ask-gateway.ts');
  try {
    return outcomeOfAnswer.parse(await askGateway(home, { verb: 'answer-approval', approval, decision }));
  } catch (error) {
    const isOurs =
      isHermesError(error, 'USAGE_UNKNOWN_COMMAND') || isHermesError(error, 'UNAVAILABLE_NOT_RUNNING');
    if (isOurs) return undefined;
    throw error;
  }
}

function answer(
  typed: string,
  decision: Decision,
  context: CommandContext,
): Promise<{ id: string; text: string }> {
  return withWorld(context, typed, async ({ world, config, gateway }) => {
    const { ApprovalDesk } = await import('../../../approvals/desk.ts');
    const { allowCommand } = await import('../../../compose.ts');
    const desk = new ApprovalDesk({
      store: world.store,
      clock: context.clock,
      timeoutMs: config.get('approvals.timeout') * 1000,
      show: async () => false,
      allowAlways: (command, findings) => allowCommand(config, command, findings),
      mayLive: holder => gateway === 'running' || !holder.startsWith('gateway-'),
    });
    const { id: found } = pickById(await desk.pending(), { noun: 'approval', typed });
    const answered =
      gateway === 'running'
        ? await answerThere({ home: config.paths.home, inside: context.inside }, found, decision)
        : undefined;
    const outcome = answered ?? (await desk.answer(found, { who: context.actor, isOwner: true }, decision));
    if (!outcome.counted) throw new HermesError('USAGE_UNKNOWN_ID', outcome.text, { details: { id: found } });
    await world.store.audit.append({
      actor: context.actor,
      action: 'approval',
      subject: found,
      outcome: decision.kind === 'approve' ? `approved ${decision.scope}` : 'denied',
    });
    return { id: found, text: outcome.text };
  });
}
