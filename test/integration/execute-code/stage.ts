// Programs on a real sandbox, with the real terminal and tools of a test, and a door without questions.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { createExecuteCode } from '../../../src/execute-code/execute-code.ts';
import type { ProgramLimits } from '../../../src/execute-code/run-program.ts';
import type { SandboxHandle } from '../../../src/index.ts';
import type { ToolAnswer, ToolCall } from '../../../src/providers/provider.ts';
import type { Session } from '../../../src/store/sessions.ts';
import { terminalTool } from '../../../src/tools/terminal.ts';
import { defineTool, type Tool, type ToolContext, type ToolSandbox } from '../../../src/tools/tool.ts';
import type { Column, Ground } from '../../conformance/column.ts';
import { type Box, Trial } from '../../conformance/trial.ts';
import { isCi } from '../../services/required.ts';
import { NotAvailable } from '../../services/service.ts';
import { PATIENCE_MS } from '../../wait.ts';

export interface Seen {
  readonly text: string;
  readonly notes: string;
  readonly isError: boolean;
}

export interface StageOptions {
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<ProgramLimits>;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  readonly redact?: (text: string) => string;
  readonly language?: 'python' | 'javascript';
}

const limits: ProgramLimits = {
  timeoutMs: PATIENCE_MS,
  mostCalls: 50,
  stdoutBytes: 50 * 1024,
  stderrBytes: 10 * 1024,
};

/** Gives back what it is given. */
export const echo = defineTool<{ text: string; times?: number | undefined }>({
  name: 'echo',
  description: 'Says it again.',
  input: z.strictObject({ text: z.string(), times: z.int().optional() }),
  insideCode: true,
  summary: ({ text }) => text,
  run: async ({ text, times = 1 }) => ({ text: text.repeat(times) }),
});

export const terminal = terminalTool({ keepsShell: async () => true });

/** Runs a program as the agent would. */
export async function runCode(sandbox: ToolSandbox, code: string, options: StageOptions = {}): Promise<Seen> {
  const { tools = [terminal, echo], redact = text => text, language = 'python' } = options;
  const tool = createExecuteCode({ tools, redact, limits: { ...limits, ...options.limits } });
  const context = contextOf(sandbox, tools, options);
  const { text, notes = [], isError = false } = await tool.run({ language, code }, context);
  return { text, notes: notes.join('\n'), isError };
}

function contextOf(sandbox: ToolSandbox, tools: readonly Tool[], options: StageOptions): ToolContext {
  const { signal = new AbortController().signal, onOutput = () => {} } = options;
  const context: ToolContext = {
    ...{ session: {} as Session, runId: 'run', requester: 'test:1' }, // none of the tools here looks at it
    ...{ signal, onOutput, mostFileBytes: 0, sandbox: async () => sandbox },
    call: (call, given = {}) => door(tools, call, { ...context, signal: given.signal ?? signal }),
  };
  return context;
}

async function door(tools: readonly Tool[], { id, name, input }: ToolCall, context: ToolContext) {
  const answer = (text: string, isError: boolean): ToolAnswer => ({ id, name, text, isError });
  const tool = tools.find(each => each.name === name);
  const given = tool?.input.safeParse(JSON.parse(input));
  if (!tool || !given?.success) return answer(`wrong input: ${given?.error?.message}`, true);
  const { text, isError = false } = await tool.run(given.data, context);
  return answer(text, isError);
}

function sandboxOf(handle: SandboxHandle): ToolSandbox {
  return {
    sandboxId: handle.ref.id,
    handle,
    exec: (command, options) => handle.exec(command, options),
    start: (command, options) => handle.start(command, options),
  };
}

export interface Stage {
  readonly trial: Trial;
  readonly box: Box;
  run(code: string, options?: StageOptions): Promise<Seen>;
}

/**
 * A sandbox of its own on this backend for each test of the group in whose body it is called. Where the backend cannot run,
 * the tests are skipped and say why.
 */
export function useStage(column: Column): () => Stage {
  let ground: Ground | undefined;
  let notRun: string | undefined;
  let stage: Stage | undefined;
  beforeAll(async () => {
    try {
      ground = await column.open();
    } catch (error) {
      if (!(error instanceof NotAvailable) || (column.required && isCi())) throw error;
      notRun = `not run: ${column.name}: ${error.message}`;
    }
  });
  afterAll(() => ground?.close());
  beforeEach(async context => {
    if (ground === undefined) return context.skip(notRun);
    const trial = new Trial({ ground, mode: 'one-shot', patienceMs: PATIENCE_MS });
    const box = await trial.open({ limits: { processes: 50, memoryMiB: 256 } });
    stage = { trial, box, run: (code, options) => runCode(sandboxOf(box.handle), code, options) };
  });
  afterEach(() => stage?.trial.close());
  return () => {
    if (stage === undefined) throw new Error('the stage is there inside tests only');
    return stage;
  };
}
