// The configuration: all that is wrong with it, each with what would be accepted.
import { type HermesError, isHermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import type { Problem } from '../../../config/problem.ts';
import type { CommandContext } from '../../command.ts';
import { type AreaReport, type Found, problem } from './area.ts';

export interface CheckedConfig {
  readonly report: AreaReport;
  /** Undefined when it cannot be used. */
  readonly config: HermesConfig | undefined;
}

export async function checkConfig(context: CommandContext): Promise<CheckedConfig> {
  try {
    const config = await context.config();
    for (const notice of config.notices) context.note(notice);
    const written = config.entries().filter(({ origin }) => origin.from !== 'default').length;
    const said = `${written} of ${config.entries().length} settings are written`;
    return { report: { area: 'config', said, found: [] }, config };
  } catch (error) {
    if (!isHermesError(error, 'CONFIG_INVALID') && !isHermesError(error, 'CONFIG_UNREADABLE')) throw error;
    return { report: { area: 'config', said: 'cannot be used', found: foundIn(error) }, config: undefined };
  }
}

function foundIn(error: HermesError): Found[] {
  const { problems } = error.details;
  if (!Array.isArray(problems))
    return [problem('config', error.message, 'hermes config path shows the files.')];
  return (problems as Problem[]).map(asFound); // as configInvalid put them there
}

function asFound({ where, key, value, message, accepted, nearest }: Problem): Found {
  const what = [key, value].filter(part => part !== undefined).join(' = ');
  const fixes = [
    ...(nearest === undefined ? [] : [`did you mean ${nearest}?`]),
    ...(accepted === undefined ? [] : [`accepted: ${accepted}`]),
  ];
  const fix = fixes.length === 0 ? 'Mend or remove it.' : fixes.join(' ');
  return problem(where, `${what === '' ? '' : `${what}: `}${message}.`, fix);
}
