// What is reached over the network: the model by a real call, and each platform by asking for its account.
import { isHermesError } from '../../../base/errors.ts';
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

const LONGEST_MS = 30_000;

export async function checkModel(config: HermesConfig, context: CommandContext): Promise<AreaReport> {
  const name = config.get('model.name');
  if (name === undefined)
    return skipped('model', 'none is set: only messages that begin with ! do something');
  try {
    const tried = await inTime(context, signal => tryModel({ ...context, signal }));
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

export async function checkPlatforms(config: HermesConfig, context: CommandContext): Promise<AreaReport> {
  const found: Found[] = [];
  try {
    const platforms = [...(await openPlatforms(config, context)), ...(await openPlugged(config, context))];
    const gateway = await runningStatus(config.paths.home, context);
    const said: string[] = [];
    for (const platform of platforms) {
      context.note(`checking ${platform.name}`);
      const status = gateway?.platforms?.find(({ name }) => name === platform.name);
      const result = await checkOne(platform, status, context);
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

/** Who it is, or what is wrong. Where asking would disturb a running gateway, its own word counts. */
async function checkOne(
  platform: Platform,
  status: PlatformStatus | undefined,
  context: CommandContext,
): Promise<string | Found> {
  const { name } = platform;
  try {
    if (status && !platform.check) {
      if (status.state === 'connected') return status.account ?? 'connected';
      return problem(
        name,
        `The gateway is not connected: ${status.reason ?? status.state}.`,
        'hermes gateway logs',
      );
    }
    return await inTime(context, signal => askAccount(platform, { signal }));
  } catch (error) {
    if (!isHermesError(error)) throw error;
    const page = Object.hasOwn(platformDrivers, name) ? name : 'plugins';
    return problem(name, error.message, `docs/platforms/${page}.md, and hermes config show --origin`);
  }
}

async function inTime<T>(
  { clock, signal }: CommandContext,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const late = new AbortController();
  const timer = clock.after(LONGEST_MS, () => late.abort());
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    timer.cancel();
  }
}
