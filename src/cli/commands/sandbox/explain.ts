// hermes sandbox explain: where would this person's command run, and which setting decided it?
import { backendFacts } from '../../../backends/index.generated.ts';
import { HermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import { describeOrigin } from '../../../config/origin.ts';
import type { Explanation } from '../../../sessions/explain.ts';
import type { Decided, PolicyWorld, SessionTraits } from '../../../sessions/policy-input.ts';
import type { Session } from '../../../store/sessions.ts';
import type { Store } from '../../../store/store.ts';
import { defineCommand } from '../../command.ts';
import { findSession, findSessionOf } from '../find-by-id.ts';
import { withState } from '../installation.ts';
import { renderExplanation } from './render-explanation.ts';

export interface SandboxExplanation extends Explanation {
  readonly session: Session | null;
  /** `telegram:123`, when somebody was asked about. */
  readonly person: string | null;
  readonly approvals: Decided<string>;
  /** Which kinds of harm are asked about there, and who is asked. */
  readonly asked: { readonly about: readonly string[]; readonly by: readonly string[] };
  /** Settings that serve CLI sessions only, and that somebody has written. */
  readonly notApplied: readonly string[];
}

export const sandboxExplain = defineCommand({
  doc: 'Says where a command of a session would run: backend, image, network, limits, mounts, credentials, how long it lives, and which setting decided each. Without SESSION and --as it speaks of a new messaging session. Needs no gateway and no engine, and makes nothing.',
  flags: {
    as: { type: 'text', value: 'platform:user', doc: 'the session that this person has or would get' },
  },
  args: [{ name: 'session', doc: 'id of a session, or the beginning of it', optional: true }],
  examples: [
    ['sandbox explain', 'a new messaging session'],
    ['sandbox explain --as telegram:123', 'this person'],
    ['sandbox explain k3v9', 'this session, and whether its sandbox still fits the settings'],
    ['sandbox explain --set gateway.sandbox_network=open', 'what if?'],
  ],
  async run({ flags, args }, context): Promise<SandboxExplanation> {
    const person = flags.as === undefined ? undefined : personOf(flags.as);
    if (person && args.session !== undefined) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', 'Give a session or --as, not both.');
    }
    const [{ explainSandbox }, { notApplied }] = await Promise.all([
      import('../../../sessions/explain.ts'),
      import('../../../sessions/start.ts'),
    ]);
    return withState(context, async ({ config, world }) => {
      const store = world?.store;
      if (!store && args.session !== undefined) {
        throw new HermesError('USAGE_UNKNOWN_ID', `There is no session ${args.session}, nor any other yet.`);
      }
      const session = await sessionOf(store, args.session, person);
      const traits: SessionTraits = session ?? { kind: 'messaging' };
      const recorded = (await store?.installation.read())?.backend ?? null;
      const entry = session && (await store?.ledger.findLive(session.id));
      const reader = context.inside?.reader ?? 'owner';
      const explanation = explainSandbox({
        config,
        reader,
        session: traits,
        world: { backends: backendFacts, recorded },
        entry,
        known: await store?.ledger.enforcements(),
      });
      return {
        ...explanation,
        ...(context.inside ? { limits: withHeld(explanation) } : {}),
        session: session ?? null,
        person: flags.as ?? null,
        approvals: {
          value: config.get('approvals.mode'),
          origin: `approvals.mode${reader === 'owner' ? `, ${describeOrigin(config.origin('approvals.mode'))}` : ''}`,
        },
        asked: await askedIn(config, {
          traits,
          recorded,
          store,
          refused: explanation.decision === 'refused',
        }),
        notApplied: traits.kind === 'messaging' && reader === 'owner' ? notApplied({ config }) : [],
      };
    });
  },
  render: renderExplanation,
});

/** A page shows the origin beside each part, and nothing else of the limits. */
function withHeld({ limits, limitsHeld }: Explanation): Explanation['limits'] {
  return limitsHeld === null ? limits : { ...limits, origin: `${limits.origin}. Held: ${limitsHeld}` };
}

interface AskedIn {
  readonly traits: SessionTraits;
  readonly recorded: PolicyWorld['recorded'];
  readonly store: Store | undefined;
  readonly refused: boolean;
}

/** The owners that there are; in a CLI session whoever sits at the terminal. */
async function askedIn(
  config: HermesConfig,
  { traits, recorded, store, refused }: AskedIn,
): Promise<SandboxExplanation['asked']> {
  if (refused || config.get('approvals.mode') === 'off') return { about: [], by: [] };
  const [{ askedFamilies }, { exposureFor }] = await Promise.all([
    import('../../../risk/exposure.ts'),
    import('../exposure.ts'),
  ]);
  const people = traits.kind === 'cli' ? [] : ((await store?.people.list()) ?? []);
  const owners = people.filter(({ role, standing }) => role === 'owner' && standing === 'allowed');
  return {
    about: askedFamilies(exposureFor(config, traits, recorded)),
    by:
      traits.kind === 'cli'
        ? ['the terminal']
        : owners.map(({ platform, userId }) => `${platform}:${userId}`),
  };
}

async function sessionOf(
  store: Store | undefined,
  id: string | undefined,
  person: ReturnType<typeof personOf> | undefined,
): Promise<Session | undefined> {
  if (!store) return undefined;
  if (id !== undefined) return findSession(store, id);
  return person && findSessionOf(store, person);
}

function personOf(text: string): { readonly platform: string; readonly user: string } {
  const at = text.indexOf(':');
  if (at > 0 && at < text.length - 1) return { platform: text.slice(0, at), user: text.slice(at + 1) };
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `--as ${text}: accepted is PLATFORM:USER, as in telegram:123.`,
  );
}
