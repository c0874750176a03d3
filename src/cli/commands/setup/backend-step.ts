// Where commands of chats run: tried by a real sandbox before it is saved.
import { HermesError } from '../../../base/errors.ts';
import { LOCAL_WARNING } from '../../../sessions/start.ts';
import { tryBackend } from '../doctor/backends.ts';
import { type Consent, ensureIsolation, isAuto } from '../start/isolation.ts';
import { type StepResult, save, trying, untilItWorks, type Wizard } from './step.ts';

const SETTING = 'gateway.terminal_backend';

/** `name`: undefined = it is asked for, where somebody can answer. */
export async function backendStep(
  name: string | undefined,
  wizard: Wizard,
  consent: Consent,
): Promise<StepResult> {
  const { context, prompter } = wizard;
  const config = await context.config();
  const current = config.get(SETTING) ?? config.get('terminal.backend') ?? 'auto';
  const kept: StepResult = { step: 'backend', outcome: 'kept', said: current };
  if (name === undefined && !prompter) return kept;
  const { driverNames } = await import('../../../compose.ts');
  const done = await untilItWorks(wizard, async (): Promise<StepResult> => {
    const question = `Where do commands of chats run (auto, ${driverNames.join(', ')})?`;
    const wanted = name ?? (await prompter?.ask(question, current)) ?? current;
    const said = await preflight(wanted, wizard, consent);
    if (name === undefined && wanted === current) return { ...kept, said };
    await save({ [SETTING]: wanted }, context);
    return { step: 'backend', outcome: 'set', said };
  });
  return done ?? kept;
}

async function preflight(name: string, { context }: Wizard, consent: Consent): Promise<string> {
  const tried = trying({ [SETTING]: name }, context);
  // A name that is none is refused here.
  const config = await tried.config();
  if (isAuto(config)) {
    await ensureIsolation(config, tried, consent);
    return 'auto, and an isolated backend works';
  }
  const { problems, isolation, readyMs } = await tryBackend(name, config, tried);
  const errors = problems.filter(({ severity }) => severity !== 'warning');
  if (errors.length > 0) {
    const why = errors.map(({ message, fix }) => `${message} ${fix}`).join('\n');
    throw new HermesError(
      'UNAVAILABLE_BACKEND',
      `The backend ${name} does not work, and was not saved: ${why}`,
      {
        details: { backend: name },
      },
    );
  }
  if (isolation === 'none') context.warn(LOCAL_WARNING);
  return `${name}, isolation ${isolation}, a sandbox in ${readyMs ?? '?'} ms`;
}
