// The work behind `config set` and `config unset`: find the setting, check the value, write it, say what overrides it.
import { HermesError, isHermesError } from '../../../base/errors.ts';
import type { Setting, Settings } from '../../../base/setting.ts';
import { sections } from '../../../compose.ts';
import { allSettings, configPaths } from '../../../config/load.ts';
import { nearestName } from '../../../config/nearest.ts';
import { describeOrigin } from '../../../config/origin.ts';
import { showValue } from '../../../config/problem.ts';
import { saveSetting } from '../../../config/save.ts';
import type { CommandContext } from '../../command.ts';

export interface ChangedSetting {
  readonly key: string;
  readonly value: unknown;
  /** The value for people; masked if secret. */
  readonly shown: string;
  readonly file: string;
}

export async function changeSetting(
  name: string,
  text: string | undefined,
  context: CommandContext,
): Promise<ChangedSetting> {
  const settings = allSettings(sections);
  const [key, setting] = findSetting(name, settings);
  const value = text === undefined ? undefined : checkedValue(key, setting, text);
  const paths = configPaths(context.environment);
  const file = await saveSetting(key, setting, value, { paths, clock: context.clock });
  await sayWhatOverrides(key, value, context);
  return { key, value: setting.secret ? '***' : value, shown: showValue(value, setting.secret), file };
}

function findSetting(name: string, settings: Settings): [string, Setting<unknown>] {
  const found = Object.entries(settings).find(([key, setting]) => key === name || setting.env === name);
  if (found) return found;
  const names = Object.entries(settings).flatMap(([key, { env }]) => (env ? [key, env] : [key]));
  const nearest = nearestName(name, names);
  const hint = nearest ? `Did you mean ${nearest}?` : '`hermes config show` lists all.';
  throw new HermesError('USAGE_BAD_ARGUMENTS', `There is no setting "${name}". ${hint}`, {
    details: { name },
  });
}

function checkedValue(key: string, setting: Setting<unknown>, text: string): unknown {
  const raw = setting.kind.fromText(text);
  const parsed = setting.kind.schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { choices, accepts } = setting.kind;
  const nearest = choices ? nearestName(text, choices) : undefined;
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `${key} does not take ${showValue(raw, setting.secret)}. Accepted: ${accepts}.${nearest ? ` Did you mean ${nearest}?` : ''}`,
    { details: { key, accepted: accepts } },
  );
}

/** The value is saved; whether it also holds, and whether the rest is in order, the user should hear now. */
async function sayWhatOverrides(key: string, value: unknown, context: CommandContext): Promise<void> {
  try {
    const config = await context.config();
    const entry = config.entries().find(candidate => candidate.key === key);
    if (entry && value !== undefined && JSON.stringify(entry.value) !== JSON.stringify(value)) {
      context.note(`${key} is saved but overridden by ${describeOrigin(entry.origin)}.`);
    }
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID')) throw error;
    context.note(`Saved, but the configuration has other problems.\n${error.message}`);
  }
}
