// A chat line by line: what is typed goes to the agent, Ctrl-C interrupts it, a second one leaves.
import { sleep } from '../../base/clock.ts';
import { isHermesError } from '../../base/errors.ts';
import { configPaths } from '../../config/load.ts';
import { decide } from '../../sessions/decide.ts';
import type { CommandContext } from '../command.ts';
import { lineHistory } from '../line-history.ts';
import type { Lines } from '../lines.ts';
import { withBreaks } from '../paste.ts';
import { yoloCard } from './approval-card.ts';
import { Dialogue } from './dialogue.ts';
import { Interrupts } from './interrupts.ts';
import { Chat, type OpenChatOptions } from './open-chat.ts';
import { performTurn, type TurnResult } from './perform-turn.ts';
import { PlainScreen } from './plain-screen.ts';
import { type Screen, TerminalScreen } from './screen.ts';
import { runSlash } from './slash.ts';

/** How long a run that was interrupted may take to end, once somebody leaves. */
const LEAVE_MS = 2000;

/** Said at the start. */
export const YOLO =
  '⚠ --yolo: nobody is asked in this conversation. What could do harm runs at once; approvals.deny still holds.';

export async function converse(
  context: CommandContext,
  { begin, asks }: Pick<OpenChatOptions, 'begin' | 'asks'>,
): Promise<void> {
  const history = lineHistory(configPaths(context.environment).home, 'chat_history');
  const write = (text: string): void => void context.stream?.({ stream: 'stdout', data: text });
  const interrupts = new Interrupts(write);
  const lines = context.openLines({
    history: await history.read(),
    onInterrupt: () => interrupts.hit(),
    ...(context.terminal().isShown ? { pastes: 'whole' } : {}),
  });
  const onSignal = (): void => interrupts.signalled(context.signal.reason, lines);
  context.signal.addEventListener('abort', onSignal);
  const screen = screenFor(context, write);
  const look = () => context.terminal().look;
  const dialogue = new Dialogue({ lines, screen, look, write, onInterrupt: () => interrupts.interrupt() });
  const chat = await Chat.open(context, {
    ...{ begin, asks },
    unasked: asked => {
      screen.settle();
      write(`${yoloCard(asked, look())}\n`);
      screen.begin();
    },
    progress: text => screen.show({ type: 'notice', text }),
    askSecret: prompt => dialogue.secret(prompt, context.signal),
    // The agent waits for the desk, not for the prompt.
    show: async question => {
      dialogue.approve(question, () => chat.desk).catch(error => interrupts.fail(error));
      return true;
    },
  });
  try {
    write(`${await greeting(chat, context)}\n`);
    for (;;) {
      const line = await nextLine(lines, interrupts, context);
      if (line === undefined) break;
      const told = await slash(line, chat, context);
      if (told !== undefined) write(`${told}\n`);
      else if (line.trim() !== '') await talk(line, { chat, screen, dialogue, interrupts, context, write });
    }
  } finally {
    context.signal.removeEventListener('abort', onSignal);
    lines.close();
    // What is hidden elsewhere is not kept in the clear here (P7).
    const isPlain = (line: string): boolean => chat.world.redact(withBreaks(line)) === withBreaks(line);
    await history.save(lines.history().filter(isPlain));
    await chat.close();
  }
}

/** Undefined when the person leaves. */
async function nextLine(
  lines: Lines,
  interrupts: Interrupts,
  context: CommandContext,
): Promise<string | undefined> {
  for (let emptied = 0; ; emptied++) {
    if (interrupts.isLeaving || context.signal.aborted) return undefined;
    const typed = await lines.next(context.terminal().look.colors.bold('> '));
    if (typed.kind === 'line') return typed.text;
    if (typed.kind === 'end' || emptied > 0) return undefined;
    context.note('Ctrl-C again, or Ctrl-D, leaves.');
  }
}

/** What a command cannot do is said; the chat goes on. */
async function slash(line: string, chat: Chat, context: CommandContext): Promise<string | undefined> {
  try {
    return await runSlash(line, chat, context.terminal().look);
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return error.message;
  }
}

interface Talk {
  readonly chat: Chat;
  readonly screen: Screen;
  readonly dialogue: Dialogue;
  readonly interrupts: Interrupts;
  readonly context: CommandContext;
  readonly write: (text: string) => void;
}

async function talk(
  text: string,
  { chat, screen, dialogue, interrupts, context, write }: Talk,
): Promise<void> {
  const signal = interrupts.begin();
  screen.begin();
  const performing = performTurn(
    chat,
    { text },
    {
      signal,
      answer: (question, options) => dialogue.ask(question, options, signal),
      onEvent(event) {
        if (event.type === 'approval-settled') dialogue.settled(event.id);
        screen.show(event);
      },
    },
  );
  const left = interrupts.left.then(() => sleep(context.clock, LEAVE_MS));
  const result = await Promise.race([performing, left]);
  screen.settle();
  interrupts.end();
  if (result) write(`${concluded(chat, result, context)}`);
  else context.end();
}

function concluded(chat: Chat, { outcome, runId }: TurnResult, context: CommandContext): string {
  const { colors } = context.terminal().look;
  if (outcome.kind === 'answered') return '';
  if (outcome.kind === 'canceled') return `${colors.yellow('interrupted')}\n`;
  return `${colors.red('error')} ${colors.dim(outcome.code)}: ${chat.failures.of(runId) ?? outcome.text}\n`;
}

export function screenFor(context: CommandContext, write: (text: string) => void): Screen {
  if (!context.terminal().isShown) return new PlainScreen({ write, note: context.note });
  return new TerminalScreen({
    clock: context.clock,
    look: () => context.terminal().look,
    rows: () => context.terminal().rows,
    write,
  });
}

async function greeting(chat: Chat, context: CommandContext): Promise<string> {
  const { colors } = context.terminal().look;
  const decision = await decide(chat.world, chat.session);
  const place =
    decision.kind !== 'decided'
      ? 'nowhere; /sandbox says why'
      : decision.policy.isolation === 'none'
        ? `${decision.policy.backend.value}: on this machine${chat.asks === 'person' ? ', and what could do harm is asked first' : ''}`
        : decision.policy.backend.value;
  const model =
    chat.model?.model ?? 'no model yet; `hermes model set NAME` chooses one, !COMMAND runs commands';
  return [
    `${colors.bold('model')}     ${model}`,
    `${colors.bold('commands')}  ${place}`,
    colors.dim('/help lists what you can type; Ctrl-D leaves'),
    ...(chat.asks === 'nobody' ? [colors.red(colors.bold(YOLO))] : []),
    ...chat.notices.map(text => colors.yellow(text)),
  ].join('\n');
}
