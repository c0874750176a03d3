// The chat service: its token is checked with the service itself before it is saved.
import { HermesError } from '../../../base/errors.ts';
import type { CommandContext } from '../../command.ts';
import { openPlatforms } from '../platforms.ts';
import { type Candidate, type StepResult, save, trying, untilItWorks, type Wizard } from './step.ts';

const TOKEN = 'telegram.bot_token';

/** `token`: undefined = it is asked for, where somebody can answer. */
export async function chatStep(token: string | undefined, wizard: Wizard): Promise<StepResult> {
  const { context, prompter } = wizard;
  const isSet = (await context.config()).get(TOKEN) !== undefined;
  const now = isSet ? 'A token for Telegram is there.' : 'No bot of Telegram is set up.';
  const kept: StepResult = { step: 'chat', outcome: 'kept', said: now };
  if (token === undefined && !(await prompter?.confirm(`${now} Set one up?`))) return kept;
  const account = await untilItWorks(wizard, async () => {
    const text = token ?? (await prompter?.ask('Token, as BotFather gave it:')) ?? '';
    if (text === '') throw new HermesError('USAGE_BAD_ARGUMENTS', 'There was no token.');
    const candidate: Candidate = { [TOKEN]: text };
    const said = await checkAccounts(trying(candidate, context));
    await save(candidate, context);
    return said;
  });
  return account === undefined ? kept : { step: 'chat', outcome: 'set', said: account };
}

/** Every service that can be asked who we are there. Throws AUTH_PLATFORM_TOKEN and the like. */
async function checkAccounts(context: CommandContext): Promise<string> {
  const said: string[] = [];
  for (const platform of await openPlatforms(await context.config(), context)) {
    if (!platform.check) continue;
    context.note(`asking ${platform.name}`);
    said.push(`${platform.name} ${await platform.check({ signal: context.signal })}`);
  }
  return said.join(', ');
}
