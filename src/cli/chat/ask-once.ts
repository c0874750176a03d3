// One question and its answer, for scripts. There is nobody to ask, so what would have to be asked is denied.
import type { ErrorCode } from '../../base/error-codes.ts';
import { HermesError } from '../../base/errors.ts';
import type { CommandContext } from '../command.ts';
import { screenFor } from './converse.ts';
import { Chat, type OpenChatOptions } from './open-chat.ts';
import { type Message, performTurn, type TurnResult } from './perform-turn.ts';

export interface Answered extends Omit<TurnResult, 'outcome'> {
  readonly session: string;
  readonly outcome: 'answered' | 'canceled';
  readonly text: string;
  readonly usage: TurnResult['outcome']['usage'];
}

export async function askOnce(
  context: CommandContext,
  message: Message,
  begin: OpenChatOptions['begin'],
): Promise<Answered> {
  const write = (text: string): void => void context.stream?.({ stream: 'stdout', data: text });
  const screen = screenFor(context, write);
  const chat = await Chat.open(context, { begin, progress: context.note, show: async () => false });
  try {
    screen.begin();
    const result = await performTurn(chat, message, {
      signal: context.signal,
      onEvent: event => screen.show(event),
    });
    screen.settle();
    const { outcome, ...rest } = result;
    if (outcome.kind === 'failed') {
      const text = chat.failures.of(result.runId) ?? outcome.text;
      throw new HermesError(outcome.code as ErrorCode, text); // the run has it from a HermesError
    }
    const text = outcome.kind === 'answered' ? outcome.text : '';
    return { ...rest, session: chat.session.id, outcome: outcome.kind, text, usage: outcome.usage };
  } finally {
    await chat.close(begin === 'new' ? 'discard' : 'keep');
  }
}
