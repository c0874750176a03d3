// The tool `process`: what runs in the background of the session's sandbox. An id means something there only.
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { HermesError, isHermesError } from '../base/errors.ts';
import type { BackgroundProcess, ProcessState } from '../sandboxes/background-process.ts';
import { stateText } from './command-outcome.ts';
import { shownOutput } from './shown-output.ts';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

const LISTED = 50;
const SHOWN_COMMAND = 200;
const WAIT_SECONDS = 60;

const inputUpTo = (longestSeconds: number) =>
  z.strictObject({
    action: z
      .enum(['list', 'poll', 'wait', 'log', 'write', 'kill'])
      .describe(
        'list: all of them. poll: is it running? wait: until it ends. log: the end of its output. write: text to its input. kill: end it with all that it started.',
      ),
    id: z.string().min(1).optional().describe('Of the process; for everything but list.'),
    data: z.string().optional().describe('For write: the text. A line needs its own \\n at the end.'),
    timeout: z
      .number()
      .positive()
      .max(longestSeconds)
      .optional()
      .describe(`For wait: at most so many seconds. Default ${WAIT_SECONDS}.`),
  });

type Input = z.infer<ReturnType<typeof inputUpTo>>;

export interface ProcessParts {
  /** Of a wait; absent = an hour. */
  readonly longestSeconds?: number;
  readonly clock: Clock;
  /** Before anything is shortened (P7). */
  readonly redact: (text: string) => string | Promise<string>;
}

export const processTool = (parts: ProcessParts): Tool =>
  defineTool<Input>({
    name: 'process',
    description:
      'Watches and steers background processes of this conversation: those started by terminal with background, and those that commands left running. The last 200 KB of output are kept, standard output and errors together.',
    input: inputUpTo(parts.longestSeconds ?? 3600),
    insideCode: false,
    // What it is sent decides what it does, and nobody knows what reads it.
    action: ({ action, id, data = '' }) =>
      action === 'write' ? { kind: 'script', language: `input for ${id}`, text: data } : undefined,
    begins: ({ action }) => (action === 'write' || action === 'kill' ? 'at-once' : 'never'),
    summary: ({ action, id }) => (id === undefined ? action : `${action} ${id}`),
    async run(given, context) {
      const { handle } = await context.sandbox();
      if (given.action === 'list') return list(await handle.processes(), parts);
      if (given.id === undefined) {
        throw new HermesError('USAGE_BAD_ARGUMENTS', `process ${given.action} needs an id; list shows them.`);
      }
      return act(await handle.process(given.id), given, { ...context, clock: parts.clock });
    },
  });

type Waiting = Pick<ToolContext, 'signal'> & Pick<ProcessParts, 'clock'>;

async function act(process: BackgroundProcess, given: Input, context: Waiting): Promise<ToolOutcome> {
  const { id } = process;
  switch (given.action) {
    case 'wait':
      return wait(process, given.timeout ?? WAIT_SECONDS, context);
    case 'log':
      return report(process, await process.poll());
    case 'write':
      if (given.data === undefined)
        throw new HermesError('USAGE_BAD_ARGUMENTS', 'process write needs data: the text for its input.');
      await process.write(given.data);
      return { text: '', notes: [`Sent ${Buffer.byteLength(given.data)} bytes to ${id}.`] };
    case 'kill':
      if (await process.kill()) return { text: '', notes: [`${id} and all that it started was ended.`] };
      return { text: '', notes: [`${id} had already ended: it ${stateText(await process.poll())}.`] };
    default:
      return { text: '', notes: [`${id} is ${stateOf(await process.poll())}.`] };
  }
}

async function wait(
  process: BackgroundProcess,
  seconds: number,
  { signal, clock }: Waiting,
): Promise<ToolOutcome> {
  const limit = new AbortController();
  const timer = clock.after(seconds * 1000, () => limit.abort(), { keepAlive: true });
  try {
    return await report(process, await process.wait({ signal: AbortSignal.any([signal, limit.signal]) }));
  } catch (error) {
    if (error !== limit.signal.reason) throw error;
    return report(process, await process.poll(), `${process.id} has not ended within ${seconds} s.`);
  } finally {
    timer.cancel();
  }
}

/** The end of its output, and how it is. */
async function report(
  process: BackgroundProcess,
  state: ProcessState,
  ...notes: string[]
): Promise<ToolOutcome> {
  const text = shownOutput(new TextDecoder().decode(await process.log())).replace(/\n$/, '');
  return { text, notes: [...notes, `${process.id} is ${stateOf(state)}.`] };
}

async function list(processes: readonly BackgroundProcess[], { redact }: ProcessParts): Promise<ToolOutcome> {
  if (processes.length === 0) return { text: '', notes: ['Nothing runs in the background.'] };
  const lines = await Promise.all(
    processes
      .slice(-LISTED)
      .map(async each => `${each.id}  ${await stateNow(each)}  ${shortened(await redact(each.command))}`),
  );
  const notes = processes.length > LISTED ? [`The last ${LISTED} of ${processes.length} are shown.`] : [];
  return { text: lines.join('\n'), notes };
}

async function stateNow(process: BackgroundProcess): Promise<string> {
  try {
    return stateText(await process.poll());
  } catch (error) {
    // Its folder went after it was listed.
    if (isHermesError(error, 'SANDBOX_PROCESS_UNKNOWN')) return 'gone';
    throw error;
  }
}

function stateOf(state: ProcessState): string {
  return state.state === 'running' ? 'running' : `over: it ${stateText(state)}`;
}

/** The first line is enough to know it by. */
function shortened(command: string): string {
  const line = (command.trim().split('\n')[0] ?? '').slice(0, SHOWN_COMMAND);
  return line.length < command.trim().length ? `${line} …` : line;
}
