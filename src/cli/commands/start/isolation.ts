// An isolated backend for chats, before a gateway is started: found, or made possible by a package, or the start ends here.
// It never comes to the machine itself unless somebody has written so (P2).
import type { Problem } from '../../../backends/backend.ts';
import { backendFacts } from '../../../backends/index.generated.ts';
import { HermesError, isHermesError } from '../../../base/errors.ts';
import { createBackend, type HermesConfig } from '../../../compose.ts';
import { autoOrder } from '../../../sessions/choose-backend.ts';
import type { CommandContext } from '../../command.ts';
import { chosenPolicy } from '../chosen-policy.ts';
import { tryBackend } from '../doctor/backends.ts';
import type { Prompter } from '../prompter.ts';
import { hasApt, installPackage } from './install-package.ts';
import { type InstallFacts, planInstall } from './plan-install.ts';

/** To installing something: given before, asked for now, or nobody is there, and it is said and done. */
export type Consent = 'told' | 'nobody' | Pick<Prompter, 'confirm'>;

/** Throws UNAVAILABLE_BACKEND with every reason when there is none and none could be made. */
export async function ensureIsolation(
  config: HermesConfig,
  context: CommandContext,
  consent: Consent,
): Promise<void> {
  // What somebody has named is tried by the start of the gateway, and no other one is taken in its place.
  if (!isAuto(config)) return;
  const first = await attempt(config, context);
  if (first.kind === 'works') return;
  const facts: InstallFacts = {
    package: first.package,
    isRoot: process.getuid?.() === 0,
    hasApt: hasApt(),
    consent: typeof consent === 'string' ? consent : 'asked',
  };
  const plan = planInstall(facts);
  if (plan.kind === 'stop') throw nowhere(first.why, plan.advice);
  const why = `Commands of chats run in sandboxes only, and nothing on this machine can make one yet; ${plan.package} can.`;
  context.note(why);
  if (typeof consent !== 'string' && !(await consent.confirm(`Install ${plan.package} with apt-get now?`)))
    throw nowhere(first.why, `If you change your mind: apt-get install ${plan.package}`);
  context.note(`installing it: apt-get install ${plan.package}`);
  await installPackage(plan.package, context);
  const second = await attempt(config, context);
  if (second.kind === 'fails') throw nowhere(second.why, 'Mend that, then start again.');
}

export function isAuto(config: Pick<HermesConfig, 'get'>): boolean {
  return (config.get('gateway.terminal_backend') ?? config.get('terminal.backend') ?? 'auto') === 'auto';
}

type Attempt =
  | { readonly kind: 'works' }
  | { readonly kind: 'fails'; readonly why: string; readonly package: string | undefined };

/** A real sandbox is made and removed: an image is there from then on, also when the network is not. */
async function attempt(config: HermesConfig, context: CommandContext): Promise<Attempt> {
  try {
    const { backend } = await chosenPolicy(config, 'messaging', context);
    const { problems } = await tryBackend(backend.value, config, context);
    const errors = problems.filter(isError);
    if (errors.length === 0) return { kind: 'works' };
    const why = errors.map(each => `\n  ${backend.value}: ${each.message} ${each.fix}`).join('');
    return { kind: 'fails', why, package: packageIn(errors) };
  } catch (error) {
    if (!isHermesError(error, 'UNAVAILABLE_BACKEND')) throw error;
    const found = await problemsByBackend(config, context);
    const why = found.map(
      ({ name, errors }) => `\n  ${name}: ${errors.map(each => `${each.message} ${each.fix}`).join(' ')}`,
    );
    const mendable = found.map(({ errors }) => packageIn(errors)).find(name => name !== undefined);
    return { kind: 'fails', why: why.join(''), package: mendable };
  }
}

async function problemsByBackend(config: HermesConfig, { environment, note, signal }: CommandContext) {
  const found: { readonly name: string; readonly errors: readonly Problem[] }[] = [];
  for (const name of autoOrder(backendFacts)) {
    const backend = await createBackend(name, config, { environment, progress: note });
    try {
      found.push({ name, errors: (await backend.check({ signal })).filter(isError) });
    } finally {
      await backend.close();
    }
  }
  return found;
}

function isError({ severity }: Problem): boolean {
  return severity !== 'warning';
}

/** Of the one problem that there is; where there are more, a package alone does not help. */
function packageIn(errors: readonly Problem[]): string | undefined {
  return errors.length === 1 ? errors[0]?.package : undefined;
}

function nowhere(why: string, advice: string): HermesError {
  return new HermesError(
    'UNAVAILABLE_BACKEND',
    `Nothing was started: no sandbox can be made here, and commands of chats never run on this machine itself unless somebody writes so.${why}\n${advice}`,
  );
}
