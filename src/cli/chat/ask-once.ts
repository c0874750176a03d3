// One question and its answer, for scripts. There is nobody to ask, so what would have to be asked is denied.
import type { CommandEnd } from '../../agent/events.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import { HermesError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { yoloCard } from './approval-card.ts';
import { screenFor, YOLO } from './converse.ts';
import { Chat, type OpenChatOptions } from './open-chat.ts';
import { type Message, performTurn, type TurnResult } from './perform-turn.ts';

export interface Answered extends Omit<TurnResult, 'outcome'> {
  readonly session: string;
  /** `stopped`: the turns were used up before the model was done. */
  readonly outcome: 'answered' | 'stopped' | 'canceled';
  readonly text: string;
  /** How a command behind `!` ended; absent = there was none. */
  readonly command?: CommandEnd;
  readonly usage: TurnResult['outcome']['usage'];
}

export async function askOnce(
  context: CommandContext,
  message: Message,
  { begin, asks }: Pick<OpenChatOptions, 'begin' | 'asks'>,
): Promise<Answered> {
  const write = (text: string): void => void context.stream?.({ stream: 'stdout', data: text });
  const screen = screenFor(context, write);
  if (asks === 'nobody') context.warn(YOLO);
  const chat = await Chat.open(context, {
    ...{ begin, asks },
    progress: context.note,
    show: async () => false,
    unasked: asked => context.warn(yoloCard(asked, context.terminal().look)),
  });
  try {
    for (const text of chat.notices) screen.show({ type: 'notice', text });
    screen.begin();
    const result = await performTurn(chat, message, {
      signal: context.signal,
      onEvent: event => screen.show(event),
    });
    screen.settle();
    return answeredWith(chat, result);
  } finally {
    await chat.close();
  }
}

/** Throws what the run has failed with. */
function answeredWith(chat: Chat, { outcome, ...rest }: TurnResult): Answered {
  if (outcome.kind === 'failed') {
    const text = chat.failures.of(rest.runId) ?? outcome.text;
    throw new HermesError(outcome.code as ErrorCode, text); // the run has it from a HermesError
  }
  const common = { ...rest, session: chat.session.id, usage: outcome.usage };
  const notices = [...chat.notices, ...rest.notices];
  if (outcome.kind === 'canceled') return { ...common, notices, outcome: 'canceled', text: '' };
  const { text, isStopped, command } = outcome;
  return {
    ...{ ...common, notices, text, outcome: isStopped ? 'stopped' : 'answered' },
    ...(command ? { command } : {}),
  };
}
