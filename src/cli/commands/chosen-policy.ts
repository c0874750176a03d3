// The policy of sandboxes that a command makes for itself, also where `auto` has still to choose.
import { existsSync } from 'node:fs';
import { backendFacts } from '../../backends/index.generated.ts';
import { HermesError } from '../../base/errors.ts';
import type { HermesConfig } from '../../compose.ts';
import { resolveSandboxPolicy, type SandboxPolicy } from '../../sessions/policy.ts';
import type { PolicyWorld, SessionTraits } from '../../sessions/policy-input.ts';
import { stateFile } from '../../store/state-file.ts';
import type { CommandContext } from '../command.ts';

/** Throws CONFIG_INVALID for a refusal, UNAVAILABLE_BACKEND when `auto` finds none. What it finds is not recorded. */
export async function chosenPolicy(
  config: HermesConfig,
  kind: SessionTraits['kind'],
  context: CommandContext,
): Promise<SandboxPolicy> {
  const decide = (recorded: PolicyWorld['recorded']) =>
    resolveSandboxPolicy(config, { kind }, { backends: backendFacts, recorded });
  // Most need no store to be decided, and opening it takes time.
  let decision = decide(null);
  if (decision.kind === 'undecided') decision = decide(await recordedChoice(config.paths.home));
  if (decision.kind === 'undecided') {
    const name = await tryInOrder(config, context);
    context.note(`auto has come to ${name}`);
    decision = decide({ name, chosenAt: context.clock.now() });
  }
  if (decision.kind === 'decided') return decision.policy;
  if (decision.kind === 'refused') {
    throw new HermesError('CONFIG_INVALID', `${decision.reason} ${decision.fix}`);
  }
  throw new HermesError('BUG_UNEXPECTED', 'The backend was chosen, and still none is decided.');
}

/** What `auto` came to here before; makes nothing where there is no state. */
export async function recordedChoice(home: string): Promise<PolicyWorld['recorded']> {
  if (!existsSync(stateFile(home))) return null;
  const { openStore } = await import('../../store/open.ts');
  const store = await openStore(home, { examine: 'head' });
  try {
    return (await store.installation.read()).backend;
  } finally {
    await store.close();
  }
}

async function tryInOrder(config: HermesConfig, context: CommandContext): Promise<string> {
  const [{ createBackend }, { firstWorking }] = await Promise.all([
    import('../../compose.ts'),
    import('../../sessions/auto.ts'),
  ]);
  const { environment, note: progress, signal } = context;
  const made: Awaited<ReturnType<typeof createBackend>>[] = [];
  const backend = async (name: string) => {
    const driver = await createBackend(name, config, { environment, progress });
    made.push(driver);
    return driver;
  };
  try {
    return (await firstWorking({ facts: backendFacts, backend }, signal)).name;
  } finally {
    await Promise.all(made.map(driver => driver.close()));
  }
}
