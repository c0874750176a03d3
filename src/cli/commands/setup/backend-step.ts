// Where commands of chats and of the command line run: tried by a real sandbox before it is saved.
import { HermesError } from '../../../base/errors.ts';
import { LOCAL_WARNING } from '../../../sessions/start.ts';
import { tryBackend } from '../doctor/backends.ts';
import { type Consent, ensureIsolation, isAuto } from '../start/isolation.ts';
import { type Candidate, type StepResult, save, trying, untilItWorks, type Wizard } from './step.ts';

const SETTING = 'gateway.terminal_backend';
const COMMON = 'terminal.backend';

const PURPOSES = ['chats', 'cli', 'both'] as const;
type Purpose = (typeof PURPOSES)[number];

const SERVES: Readonly<Record<Purpose, string>> = {
  chats: 'for chats',
  cli: 'for the command line',
  both: 'for chats and the command line',
};

/** Undefined = it is asked for, where somebody can answer. */
interface GivenBackend {
  readonly name: string | undefined;
  readonly purpose: string | undefined;
}

export async function backendStep(
  { name, purpose }: GivenBackend,
  wizard: Wizard,
  consent: Consent,
): Promise<StepResult> {
  const { context, prompter } = wizard;
  const config = await context.config();
  const current = config.get(SETTING) ?? config.get(COMMON) ?? 'auto';
  const kept: StepResult = { step: 'backend', outcome: 'kept', said: current };
  const given = purpose === undefined ? undefined : asPurpose(purpose);
  if (given !== undefined && name === undefined)
    throw new HermesError('USAGE_BAD_ARGUMENTS', '--backend-for says what --backend is for. Give both.');
  if (name === undefined && !prompter) return kept;
  const { driverNames } = await import('../../../compose.ts');
  const done = await untilItWorks(wizard, async (): Promise<StepResult> => {
    const question = `Where do commands of chats run (auto, ${driverNames.join(', ')})?`;
    const wanted = name ?? (await prompter?.ask(question, current)) ?? current;
    const serves = given ?? (name === undefined ? 'chats' : await askPurpose(wizard));
    const said = await preflight(wanted, serves, { wizard, consent });
    if (name === undefined && wanted === current) return { ...kept, said };
    await save(
      keysFor(serves, wanted, { chats: current, isPinned: config.get(SETTING) !== undefined }),
      context,
    );
    return { step: 'backend', outcome: 'set', said: `${said}, ${SERVES[serves]}` };
  });
  return done ?? kept;
}

/** Pure. What the command line gets must not move the chats, which follow it where they have no setting of their own. */
export function keysFor(
  purpose: Purpose,
  name: string,
  { chats, isPinned }: { readonly chats: string; readonly isPinned: boolean },
): Candidate {
  if (purpose === 'chats') return { [SETTING]: name };
  if (purpose === 'both') return { [SETTING]: name, [COMMON]: name };
  return { ...(isPinned ? {} : { [SETTING]: chats }), [COMMON]: name };
}

async function askPurpose({ prompter }: Wizard): Promise<Purpose> {
  if (!prompter) return 'chats';
  return asPurpose(
    await prompter.ask(
      'What is it for: chats, cli (hermes run, hermes shell, hermes chat), or both?',
      'chats',
    ),
  );
}

function asPurpose(text: string): Purpose {
  const found = PURPOSES.find(each => each === text);
  if (found) return found;
  throw new HermesError('USAGE_BAD_ARGUMENTS', `A backend is for ${PURPOSES.join(', ')}, not for ${text}.`);
}

interface Trial {
  readonly wizard: Wizard;
  readonly consent: Consent;
}

async function preflight(
  name: string,
  purpose: Purpose,
  { wizard: { context }, consent }: Trial,
): Promise<string> {
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
  if (isolation === 'none' && purpose !== 'cli') context.warn(LOCAL_WARNING);
  return `${name}, isolation ${isolation}, a sandbox in ${readyMs ?? '?'} ms`;
}
