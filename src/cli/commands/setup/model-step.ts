// The model: where it is, its key, its name; tried by a real question before anything is saved.
import { isHermesError } from '../../../base/errors.ts';
import { providerNames } from '../../../providers/index.generated.ts';
import type { CommandContext } from '../../command.ts';
import { modelServer } from '../model/server.ts';
import { tryModel } from '../model/test.ts';
import { plainLine } from '../wording.ts';
import { type Candidate, type StepResult, save, trying, untilItWorks, type Wizard } from './step.ts';

export interface GivenModel {
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

const MOST_SHOWN = 30;

export async function modelStep(given: GivenModel, wizard: Wizard): Promise<StepResult> {
  const { context, prompter } = wizard;
  const config = await context.config();
  const current = config.get('model.name');
  const kept: StepResult = {
    step: 'model',
    outcome: 'kept',
    said: current ?? 'none; messages that begin with ! run as commands all the same',
  };
  const flagged = givenSettings(given);
  const isGiven = Object.keys(flagged).length > 0;
  if (!isGiven && !(await prompter?.confirm(`Set up a model? It is ${current ?? 'none'} now.`))) return kept;
  const done = await untilItWorks(wizard, async () => {
    const candidate = isGiven ? flagged : await askForModel(wizard);
    const tried = await tryModel(trying(candidate, context));
    await save(candidate, context);
    const tools = tried.calledTool ? '' : '; it did not call a tool, and may be of little use to the agent';
    return `${tried.model} of ${tried.address} answers in ${tried.totalMs} ms${tools}`;
  });
  return done === undefined ? kept : { step: 'model', outcome: 'set', said: done };
}

function givenSettings({ model, provider, baseUrl, apiKeyEnv }: GivenModel): Candidate {
  const all = {
    'model.provider': provider,
    'model.base_url': baseUrl,
    'model.api_key_env': apiKeyEnv,
    'model.name': model,
  };
  return withoutEmpty(all);
}

function withoutEmpty(all: Readonly<Record<string, string | undefined>>): Candidate {
  const entries = Object.entries(all).flatMap(([key, text]) => (text ? [[key, text] as const] : []));
  return Object.fromEntries(entries);
}

async function askForModel({ context, prompter }: Wizard): Promise<Candidate> {
  const config = await context.config();
  const ask = async (question: string, fallback?: string) => (await prompter?.ask(question, fallback)) ?? '';
  const provider = await ask(
    `How is it spoken to (${providerNames.join(', ')})?`,
    config.get('model.provider'),
  );
  const address = await ask(
    'Address of its server, such as http://127.0.0.1:11434/v1; Enter alone takes the one shown or the provider’s own:',
    config.get('model.base_url'),
  );
  const key = (await prompter?.askSecret('Its key; Enter alone leaves it as it is, or without one:')) ?? '';
  const where = withoutEmpty({
    'model.provider': provider,
    'model.base_url': address,
    [keySetting(provider)]: key,
  });
  await showModels(trying(where, context));
  return { ...where, ...withoutEmpty({ 'model.name': await ask('Which model?', config.get('model.name')) }) };
}

/** Each provider declares one: `model.openai_api_key` for openai-compatible. */
function keySetting(provider: string): string {
  return `model.${provider.split('-', 1)[0]}_api_key`;
}

/** A help, not a test: a server without a list may have the model all the same. */
async function showModels(context: CommandContext): Promise<void> {
  try {
    const { provider, address } = await modelServer(context);
    const names = await provider.models({ signal: context.signal });
    const more = names.length > MOST_SHOWN ? `, and ${names.length - MOST_SHOWN} more` : '';
    const shown = names.slice(0, MOST_SHOWN).map(plainLine).join(', ');
    context.note(`${address} has: ${shown || 'no models'}${more}`);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    context.note(`Its models could not be listed: ${error.message}`);
  }
}
