// Runs one program in the session's sandbox, with its line to the tools, and leaves nothing of it there.

import { newId } from '../base/ids.ts';
import { stripAnsi } from '../base/strip-ansi.ts';
import type { ExecOptions } from '../sandboxes/handle.ts';
import type { ExecResult } from '../sandboxes/result.ts';
import type { Wire } from '../sandboxes/wire.ts';
import type { ToolContext, ToolSandbox } from '../tools/tool.ts';
import { Calls } from './calls.ts';
import { cutOutput, outputBuffer } from './cut-output.ts';
import { type LanguageName, languages } from './language.ts';
import type { OfferedTool } from './offered-tools.ts';
import { type Prepared, prepare, type Ready, removeFolder } from './prepare.ts';

export interface ProgramLimits {
  readonly timeoutMs: number;
  readonly mostCalls: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export interface Program {
  readonly language: LanguageName;
  readonly code: string;
  readonly tools: readonly OfferedTool[];
  readonly limits: ProgramLimits;
  readonly redact: (text: string) => string | Promise<string>;
}

/** What a program came to. */
export interface ProgramEnd {
  readonly kind: 'ran';
  readonly result: Pick<ExecResult, 'outcome' | 'exitCode' | 'signal' | 'leftBehind' | 'outOfMemory'>;
  readonly notices: readonly string[];
  /** Redacted and within their limits, without the path of the program's folder. */
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: number;
  readonly refusedCalls: number;
  /** The program wrote something else than calls into its line. */
  readonly isLineBroken: boolean;
}

/** `missing`: the sandbox has nothing that runs the language. */
export type NotRun = Extract<Prepared, { kind: 'missing' }>;

export async function runProgram(program: Program, context: ToolContext): Promise<ProgramEnd | NotRun> {
  const language = languages[program.language];
  const sandbox = await context.sandbox();
  const id = newId();
  const files = language.files(program.code, program.tools);
  const prepared = await prepare(sandbox, id, { language, files });
  if (prepared.kind === 'missing') return prepared;
  const line = openLine(program, context, { sandbox, folder: prepared.folder, id });
  try {
    const command = `${language.command(prepared.program, prepared.folder)}
status=$?
# A kill shows as itself.
((status == 137)) && kill -KILL $$
exit $status`;
    return await runCommand(command, { program, context, sandbox, prepared, line });
  } finally {
    const [, folder] = await Promise.all([line.calls.close(), line.close()]);
    if (folder === 'left') await removeFolder(sandbox, id);
  }
}

interface Line {
  readonly calls: Calls;
  /** Aborts when no more calls can be made, for a reason that is not the program's. */
  readonly failed: AbortSignal;
  isBroken: boolean;
  close(): Promise<'removed' | 'left'>;
}

function openLine(
  { tools, limits }: Program,
  context: ToolContext,
  { sandbox, folder, id }: { sandbox: ToolSandbox; folder: string; id: string },
): Line {
  const failure = new AbortController();
  const wire: Promise<Wire> = sandbox.handle.openWire({ folder, onData: bytes => calls.receive(bytes) });
  wire.catch(error => failure.abort(error));
  const calls = new Calls({
    ...{ tools, id, call: context.call, most: limits.mostCalls },
    send: async bytes => (await wire).send(bytes),
    onBroken: () => {
      line.isBroken = true;
      void line.close();
    },
    onFailure: error => failure.abort(error),
  });
  const line: Line = {
    ...{ calls, failed: failure.signal, isBroken: false },
    close: async () => {
      const [opened] = await Promise.allSettled([wire]);
      return opened.status === 'fulfilled' ? (await opened.value.close()).folder : 'left';
    },
  };
  return line;
}

interface Running {
  readonly program: Program;
  readonly context: ToolContext;
  readonly sandbox: ToolSandbox;
  readonly prepared: Ready;
  readonly line: Line;
}

async function runCommand(
  command: string,
  { program, context, sandbox, prepared, line }: Running,
): Promise<ProgramEnd> {
  const { limits, redact } = program;
  const stdout = outputBuffer(limits.stdoutBytes);
  const stderr = outputBuffer(limits.stderrBytes);
  const onOutput = listener({ stdout, stderr }, context);
  const result = await sandbox.exec(command, {
    ...{ onOutput, timeoutMs: limits.timeoutMs, keepBytes: 0, leftBehind: 'ended' },
    ...(context.folder === undefined ? {} : { cwd: context.folder }),
    // With the folder and the exports of the session's shell.
    ...{ persistent: true, stdin: '' },
    signal: AbortSignal.any([context.signal, line.failed]),
  });
  line.failed.throwIfAborted();
  const shown = (text: string): string | Promise<string> =>
    redact(stripAnsi(withoutFolder(text, prepared.folder)));
  return {
    kind: 'ran',
    result,
    notices: [...prepared.notices, ...result.notices],
    stdout: await cutOutput(stdout, limits.stdoutBytes, shown),
    stderr: await cutOutput(stderr, limits.stderrBytes, shown),
    calls: line.calls.made,
    refusedCalls: line.calls.refused,
    isLineBroken: line.isBroken,
  };
}

/** Collects, and passes on as text what comes. */
function listener(
  buffers: Readonly<Record<'stdout' | 'stderr', { push(bytes: Uint8Array): void }>>,
  { onOutput }: ToolContext,
): NonNullable<ExecOptions['onOutput']> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return ({ stream, data }) => {
    buffers[stream].push(data);
    return onOutput(decoders[stream].decode(data, { stream: true }));
  };
}

/** The program is known to its author by its lines, not by where it was put. */
function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '');
}
