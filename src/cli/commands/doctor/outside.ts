// What is reached over the network: the model by a real call, and each platform by asking for its account.
import { docsPath } from '../../../base/docs-path.ts';
import { asHermesError, isHermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import type { PlatformStatus } from '../../../gateway/process/heart.ts';
import { platformDrivers } from '../../../platforms/index.generated.ts';
import type { Platform } from '../../../platforms/platform.ts';
import type { CommandContext } from '../../command.ts';
import { runningStatus } from '../gateway/running-status.ts';
import { tryModel } from '../model/test.ts';
import { askAccount } from '../platform-account.ts';
import { openPlatforms, openPlugged } from '../platforms.ts';
import { type AreaReport, type Found, problem, skipped, warning } from './area.ts';
import { inTime } from './bounded-area.ts';

const LONGEST_MS = 30_000;

/** Ends with `signal`. */
export async function checkModel(
  config: HermesConfig,
  context: CommandContext,
  signal: AbortSignal,
): Promise<AreaReport> {
  const name = config.get('model.name');
  if (name === undefined)
    return skipped('model', 'none is set: only messages that begin with ! do something');
  try {
    const tried = await tryModel({ ...context, signal });
    const fix = 'Choose another one: hermes model list';
    const found = tried.calledTool
      ? []
      : [
          warning(
            'model',
            `${name} answers, but does not call tools; it is of little use to the agent.`,
            fix,
          ),
        ];
    return { area: 'model', said: `${name} answers in ${tried.totalMs} ms`, found };
  } catch (error) {
    if (!isHermesError(error)) throw error;
    const fix = 'hermes model test tries it again; hermes model list and hermes model set change it.';
    return { area: 'model', said: `${name} does not answer`, found: [problem('model', error.message, fix)] };
  }
}

export async function checkPlatforms(
  config: HermesConfig,
  context: CommandContext,
  onLate: () => void,
): Promise<AreaReport> {
  const found: Found[] = [];
  try {
    const platforms = [...(await openPlatforms(config, context)), ...(await openPlugged(config, context))];
    const gateway = await runningStatus(config.paths.home, context);
    const said: string[] = [];
    for (const platform of platforms) {
      context.note(`checking ${platform.name}`);
      const status = gateway?.platforms?.find(({ name }) => name === platform.name);
      const result = await boundedOne(platform, status, { context, onLate });
      if (typeof result === 'string') said.push(`${platform.name} ${result}`);
      else found.push(result);
    }
    if (platforms.length === 0 && found.length === 0) return skipped('platforms', 'none is set up');
    return { area: 'platforms', said: said.length === 0 ? 'none works' : said.join(', '), found };
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
    found.push(problem('platforms', error.message, 'Set it up whole, or remove what is there of it.'));
    return { area: 'platforms', said: 'set up in half', found };
  }
}

/** One that hangs or fails in a way that nobody foresaw hides none of the others. */
async function boundedOne(
  platform: Platform,
  status: PlatformStatus | undefined,
  { context, onLate }: { readonly context: CommandContext; readonly onLate: () => void },
): Promise<string | Found> {
  const { name } = platform;
  const fix = `${docsPath(`platforms/${pageOf(name)}.md`)}, and hermes config show --origin`;
  try {
    const look = (signal: AbortSignal) => checkOne(platform, status, signal);
    const result = await inTime(context, LONGEST_MS, look);
    if (result !== 'late') return result;
    onLate();
    return problem(name, `The check timed out after ${LONGEST_MS / 1000} s.`, fix);
  } catch (error) {
    context.signal.throwIfAborted();
    return problem(name, asHermesError(error).message, fix);
  }
}

function pageOf(name: string): string {
  return Object.hasOwn(platformDrivers, name) ? name : 'plugins';
}

/** Who it is, or what is wrong. Where asking would disturb a running gateway, its own word counts. */
async function checkOne(
  platform: Platform,
  status: PlatformStatus | undefined,
  signal: AbortSignal,
): Promise<string | Found> {
  if (!status || platform.check) return askAccount(platform, { signal });
  if (status.state === 'connected') return status.account ?? 'connected';
  const message = `The gateway is not connected: ${status.reason ?? status.state}.`;
  return problem(platform.name, message, 'hermes gateway logs');
}
