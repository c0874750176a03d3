// One message to the agent and everything that comes of it, shown while it comes.
import type { AgentEvent, IncomingFile, RunOutcome, Turn } from '../../agent/events.ts';
import { isHermesError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { PERSON } from './held-session.ts';
import type { Chat } from './open-chat.ts';
import { MOST_FILE_BYTES, receive } from './received-files.ts';

export interface UsedTool {
  readonly tool: string;
  readonly summary: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

export interface TurnResult {
  readonly runId: string;
  readonly outcome: RunOutcome;
  readonly tools: readonly UsedTool[];
  /** Paths of what the agent has sent. */
  readonly files: readonly string[];
  readonly notices: readonly string[];
}

export interface Message {
  readonly text: string;
  readonly files?: readonly IncomingFile[];
  /** For a command behind `!`. */
  readonly stdin?: Uint8Array;
}

export interface PerformOptions {
  readonly signal: AbortSignal;
  readonly answer?: Turn['answer'];
  readonly onEvent: (event: AgentEvent) => void;
}

export async function performTurn(
  chat: Chat,
  { text, files = [], stdin }: Message,
  { signal, answer, onEvent }: PerformOptions,
): Promise<TurnResult> {
  const runId = newId();
  const turn: Turn = {
    ...{ runId, text, files, signal, requester: PERSON, isOwner: true, mostFileBytes: MOST_FILE_BYTES },
    ...(answer ? { answer } : {}),
    ...(stdin ? { stdin } : {}),
  };
  const summaries = new Map<string, string>();
  const [tools, received, notices]: [UsedTool[], string[], string[]] = [[], [], []];
  const notice = (said: string): void => {
    notices.push(said);
    onEvent({ type: 'notice', text: said });
  };
  for await (const event of chat.agent.run(chat.session, turn)) {
    onEvent(event);
    if (event.type !== 'done') chat.failures.take(runId).forEach(notice);
    if (event.type === 'tool-started') summaries.set(event.id, event.summary);
    else if (event.type === 'tool-finished') {
      const { tool, isError, durationMs, id } = event;
      tools.push({ tool, summary: summaries.get(id) ?? '', isError, durationMs: Math.round(durationMs) });
    } else if (event.type === 'notice') notices.push(event.text);
    else if (event.type === 'file') {
      const receipt = await taken(chat, event.file);
      if (receipt.path !== undefined) received.push(receipt.path);
      event.delivered(receipt.text);
      onEvent({ type: 'notice', text: receipt.path ? `received ${receipt.path}` : receipt.text });
    } else if (event.type === 'done') {
      return { runId, outcome: event.outcome, tools, files: received, notices };
    }
  }
  throw new Error('a run always ends with `done`');
}

/** A file that cannot be written is told to the model; the run goes on. */
async function taken(
  { config }: Chat,
  file: Extract<AgentEvent, { type: 'file' }>['file'],
): Promise<{ readonly path?: string; readonly text: string }> {
  try {
    const path = await receive(config.paths.home, file);
    return { path, text: `The person has ${file.name} now, ${file.bytes.length} bytes.` };
  } catch (error) {
    if (!isHermesError(error, 'USAGE_HOST_FILE')) throw error;
    return { text: `${file.name} was not delivered: it could not be written on the person's machine.` };
  }
}
