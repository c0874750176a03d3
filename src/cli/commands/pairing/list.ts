// hermes pairing list: strangers who have asked to be let in.
import { redactData } from '../../../base/redact/redact-data.ts';
import { personOf } from '../../../gateway/person-name.ts';
import type { ApprovalFailures, Pairing } from '../../../store/pairings.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { withState } from '../installation.ts';
import { ageText, plainLine, shortened, spanText, timeText } from '../wording.ts';

/** The hash of the code stays in the store. */
type Request = Omit<Pairing, 'codeHash'>;

interface Listed {
  readonly now: number;
  readonly pending: readonly Request[];
  readonly locked: readonly ApprovalFailures[];
}

export const pairingList = defineCommand({
  doc: 'Lists the strangers who have asked to be let in, with what they wrote, and the platforms whose approving is locked after wrong codes.',
  flags: {},
  args: [],
  examples: [
    ['pairing list', 'who is waiting'],
    ['pairing list --json', 'for programs'],
  ],
  run: (_input, context) =>
    withState(
      context,
      async ({ world }): Promise<Listed> => ({
        now: context.clock.now(),
        pending: world ? (await world.store.pairings.pending()).map(each => shown(each, world.redact)) : [],
        locked: (await world?.store.pairings.locked()) ?? [],
      }),
    ),
  render,
});

/** A stranger chose the words and the name (P7). */
function shown({ codeHash: _, ...request }: Pairing, redact: (text: string) => string): Request {
  return { ...request, name: redact(request.name), event: redactData(request.event, redact) };
}

function render({ now, pending, locked }: Listed, look: Look): string {
  const rows = pending.map(request => [
    shortened(personOf(request), 40),
    shortened(request.name, 24),
    ageText(request.createdAt, now),
    spanText((request.expiresAt - now) / 1000),
    shortened(textOf(request), 200),
  ]);
  return [
    rows.length === 0
      ? 'Nobody is waiting to be let in.'
      : renderTable(['person', 'name', 'ago', 'left', 'wrote'], rows, look),
    ...locked.map(({ platform, lockedUntil }) =>
      look.colors.yellow(`${platform}: approving is locked until ${timeText(lockedUntil ?? now)}.`),
    ),
  ].join('\n');
}

function textOf({ event }: Request): string {
  const { text } = event as { readonly text: string }; // a message, as the gateway wrote it
  return plainLine(text);
}
