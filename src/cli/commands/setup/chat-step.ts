// The chat services: what each needs is known from its settings, and checked with the service itself before it is saved.
import { docsPath } from '../../../base/docs-path.ts';
import { HermesError } from '../../../base/errors.ts';
import { nearestName } from '../../../config/nearest.ts';
import { type Connectable, type Credential, connectablePlatforms } from '../../../platforms/credentials.ts';
import type { CommandContext } from '../../command.ts';
import { askAccount } from '../platform-account.ts';
import { openPlatform } from '../platforms.ts';
import { readCredentials } from './read-credentials.ts';
import { type Candidate, type StepResult, save, trying, untilItWorks, type Wizard } from './step.ts';

export interface GivenChat {
  /** Undefined = it is asked for, where somebody can answer. */
  readonly platform: string | undefined;
  /** What standard input has; undefined = whoever is there is asked. */
  readonly text: string | undefined;
}

/** One for each that was set up, or one that says how it is. */
export async function chatStep(given: GivenChat, wizard: Wizard): Promise<readonly StepResult[]> {
  const { platform, text } = given;
  if (platform !== undefined) {
    const result = await setUp(async () => platform, text, wizard);
    return [result ?? (await asItIs(wizard.context))];
  }
  const results: StepResult[] = [];
  while (wizard.prompter) {
    const result = await setUp(() => askWhich(wizard), undefined, wizard);
    if (!result) break;
    results.push(result);
  }
  return results.length === 0 ? [await asItIs(wizard.context)] : results;
}

/** Undefined when nobody wants one, or gives up. */
async function setUp(
  which: () => Promise<string>,
  text: string | undefined,
  wizard: Wizard,
): Promise<StepResult | undefined> {
  const { context } = wizard;
  return untilItWorks(wizard, async (): Promise<StepResult | undefined> => {
    const typed = await which();
    if (/^(?:no?|none)?$/i.test(typed)) return undefined;
    const platform = findPlatform(typed);
    const candidate =
      text === undefined ? await askForAll(platform, wizard) : readCredentials(text, platform);
    const said = `${platform.name} ${await accountOf(platform, trying(candidate, context))}`;
    await save(candidate, context);
    return { step: 'chat', outcome: Object.keys(candidate).length === 0 ? 'kept' : 'set', said };
  });
}

function findPlatform(typed: string): Connectable {
  const known = connectablePlatforms();
  const found = known.find(({ name }) => name === typed);
  if (found) return found;
  const names = known.map(({ name }) => name);
  const nearest = nearestName(typed, names);
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `There is no chat app ${JSON.stringify(typed)} to connect. Known: ${names.join(', ')}.${nearest ? ` Did you mean ${nearest}?` : ''}`,
  );
}

async function askWhich({ context, prompter }: Wizard): Promise<string> {
  const now = (await asItIs(context)).said;
  const names = connectablePlatforms().map(({ name }) => name);
  return (await prompter?.ask(`${now}. Connect one (${names.join(', ')})? Enter alone goes on:`)) ?? '';
}

/** Enter alone leaves one that is there as it is. */
async function askForAll(
  { name, credentials }: Connectable,
  { context, prompter }: Wizard,
): Promise<Candidate> {
  if (!prompter) return {};
  const config = await context.config();
  const isSet = ({ key }: Credential): boolean =>
    config.entries().some(entry => entry.key === key && entry.value !== undefined);
  context.note(
    `${docsPath(`platforms/${name}.md`)} says where to get ${credentials.length === 1 ? 'it' : 'them'}.`,
  );
  const given: [string, string][] = [];
  for (const credential of credentials) {
    const keep = isSet(credential) ? ' Enter alone keeps the one that is there.' : '';
    const question = `${credential.doc}${keep}`;
    const typed = await (credential.isSecret ? prompter.askSecret(question) : prompter.ask(question));
    if (typed !== '') given.push([credential.key, typed]);
  }
  return Object.fromEntries(given);
}

async function accountOf({ name, credentials }: Connectable, context: CommandContext): Promise<string> {
  const config = await context.config();
  const missing = config
    .entries()
    .filter(({ key, value }) => value === undefined && credentials.some(each => each.key === key));
  if (missing.length > 0) {
    const keys = missing.map(({ key, setting }) => (setting.env ? `${key} (${setting.env})` : key));
    throw new HermesError('USAGE_BAD_ARGUMENTS', `${name} was not set up: it needs ${keys.join(', ')}.`);
  }
  const platform = await openPlatform(name, config, context);
  if (!platform) throw new HermesError('BUG_UNEXPECTED', `${name} is set up, and yet it is not.`);
  context.note(`asking ${name}`);
  return askAccount(platform, { signal: context.signal });
}

async function asItIs(context: CommandContext): Promise<StepResult> {
  const entries = (await context.config()).entries();
  const names = connectablePlatforms()
    .filter(({ credentials }) =>
      credentials.every(({ key }) => entries.some(entry => entry.key === key && entry.value !== undefined)),
    )
    .map(({ name }) => name);
  const said = names.length === 0 ? 'No chat app is connected' : `Connected: ${names.join(', ')}`;
  return { step: 'chat', outcome: 'kept', said };
}
