// hermes gateway logs: the log of the gateway for people, as it stands and as it grows.
import { HermesError } from '../../../base/errors.ts';
import { logPath } from '../../../gateway/process/log-file.ts';
import { defineCommand, type Look } from '../../command.ts';
import { plainLine } from '../wording.ts';
import { followLog, lastLines } from './read-log.ts';

const LINES = 50;

export const gatewayLogs = defineCommand({
  doc: 'Shows the newest lines of the log of the gateway, whether it runs or not. Secrets, phone numbers and ids of people are hidden in it already. With --json the lines are printed as they are.',
  flags: {
    follow: { type: 'switch', short: 'f', doc: 'go on with what is written, until Ctrl-C' },
    lines: { type: 'number', short: 'n', value: 'count', doc: `how many of the newest; else ${LINES}` },
    session: {
      type: 'text',
      value: 'id',
      doc: 'only lines of this session, by the first characters of its id',
    },
  },
  args: [],
  examples: [
    ['gateway logs', 'the newest lines'],
    ['gateway logs --follow', 'as they are written'],
    ['gateway logs --lines 1000 --session k3v9', 'what happened in one session'],
  ],
  async run({ flags }, context) {
    const { lines: most = LINES, session } = flags;
    if (!Number.isInteger(most) || most < 0) {
      throw new HermesError('USAGE_BAD_ARGUMENTS', '--lines is a whole number from 0.');
    }
    const path = logPath((await context.config()).paths.home);
    const isWanted = (line: string): boolean => session === undefined || sessionOf(line).startsWith(session);
    const { lines, end } = await lastLines(path, most, isWanted);
    if (!flags.follow) return { path, lines };
    const show = (line: string): void => context.tell({ text: logText(line), data: entryOf(line) });
    lines.forEach(show);
    const { clock, signal } = context;
    for await (const line of followLog({ path, from: end, clock, signal })) if (isWanted(line)) show(line);
    return { path, lines: [] };
  },
  render: ({ lines }, look) => lines.map(line => logText(line, look)).join('\n'),
  renderJson: ({ lines }) => lines.join('\n'),
});

type Entry = Readonly<Record<string, unknown>>;

/** A line that was cut off by a crash is shown as it is. */
function entryOf(line: string): Entry {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Entry) : { msg: line }; // an object has string keys
  } catch (error) {
    if (error instanceof SyntaxError) return { msg: line };
    throw error;
  }
}

function sessionOf(line: string): string {
  const { session } = entryOf(line);
  return typeof session === 'string' ? session : '';
}

/** `time level message key=value …`; the stack of an error on lines of its own. */
export function logText(line: string, look?: Look): string {
  const { time = '', level = '', msg = '', err, ...fields } = entryOf(line);
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`);
  const words = [String(time), String(level).padEnd(5), ...String(msg).split('\n'), ...rest];
  const text = plainLine(words.join(' '));
  const isBad = level === 'error' || level === 'fatal';
  const colored =
    look && isBad ? look.colors.red(text) : look && level === 'warn' ? look.colors.yellow(text) : text;
  return [colored, ...stackOf(err)].join('\n');
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function stackOf(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return [];
  const { stack, message } = err as { stack?: unknown; message?: unknown }; // as pino writes errors
  return String(stack ?? message ?? '')
    .split('\n')
    .map(line => `    ${plainLine(line)}`);
}
