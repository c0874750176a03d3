// What a tool call costs more when a program of execute_code makes it, on a real sandbox; and what a program costs itself.
import { createExecuteCode } from '../src/execute-code/execute-code.ts';
import { openSandbox, type SandboxHandle } from '../src/index.ts';
import type { ToolAnswer, ToolCall } from '../src/providers/provider.ts';
import type { Session } from '../src/store/sessions.ts';
import { terminalTool } from '../src/tools/terminal.ts';
import type { ToolContext } from '../src/tools/tool.ts';
import type { Bench } from './bench.ts';

const direct = 'terminal, called directly';
const interpreter = 'python3 -c pass, as a command';
const limits = {
  timeoutMs: 3_600_000,
  mostCalls: Number.MAX_SAFE_INTEGER,
  stdoutBytes: 51_200,
  stderrBytes: 10_240,
};

export const executeCode: Bench = benchOn('bubblewrap', () => openSandbox({ backend: 'bubblewrap' }));

/** Needs an engine, and an image with bash and Python in HERMES_BENCH_IMAGE. */
export const executeCodeDocker: Bench = benchOn('docker', async () => {
  const image = process.env['HERMES_BENCH_IMAGE'];
  if (image) return openSandbox({ backend: 'docker', image, network: 'none' });
  console.error('not run: HERMES_BENCH_IMAGE names no image');
  return undefined;
});

function benchOn(name: string, open: () => Promise<SandboxHandle | undefined>): Bench {
  return {
    doc: `Tool calls of programs on the ${name} backend`,
    rounds: 40,
    warmUp: 5,
    burst: 5,
    async open() {
      const handle = await open();
      if (!handle) return { cases: [], close: async () => {} };
      const caller = callingProgram(handle);
      await caller.ready;
      return {
        cases: [
          { name: direct, run: caller.callDirectly },
          { name: 'the same, from a program', run: caller.nextCall, against: direct, limit: { extraMs: 3 } },
          { name: interpreter, run: () => handle.exec('python3 -c pass') },
          { name: 'a program that does nothing', run: () => caller.run('pass'), against: interpreter },
        ],
        close: async () => {
          await caller.stop();
          await handle.destroy();
        },
      };
    },
  };
}

/** A program that calls the tool again and again; each call is held until somebody wants to see how long it takes. */
function callingProgram(handle: SandboxHandle) {
  const terminal = terminalTool({ keepsShell: async () => true });
  const executeCode = createExecuteCode({ tools: [terminal], limits, redact: text => text });
  const cancel = new AbortController();
  const call = { id: 'bench', name: 'terminal', input: '{"command":"true"}' };
  let arrived = Promise.withResolvers<void>();
  let wanted = Promise.withResolvers<void>();
  const make = async ({ id, name, input }: ToolCall): Promise<ToolAnswer> => {
    const { text, isError = false } = await terminal.run(terminal.input.parse(JSON.parse(input)), context);
    return { id, name, text, isError };
  };
  const context: ToolContext = {
    ...{ session: {} as Session, runId: 'bench', requester: 'bench' }, // no tool here looks at it
    ...{ signal: cancel.signal, onOutput: () => {}, mostFileBytes: 0 },
    sandbox: async () => ({
      sandboxId: handle.ref.id,
      handle,
      exec: (command, options) => handle.exec(command, options),
      start: (command, options) => handle.start(command, options),
    }),
    call: async given => {
      arrived.resolve();
      await wanted.promise;
      wanted = Promise.withResolvers();
      return make(given);
    },
  };
  const run = (code: string) => executeCode.run({ language: 'python', code }, context);
  const running = run('from hermes_tools import terminal\nwhile True: terminal("true")');
  return {
    run,
    ready: arrived.promise,
    callDirectly: () => make(call),
    /** From the moment the call is let through until the program, having its answer, makes the next one. */
    nextCall: async (): Promise<void> => {
      arrived = Promise.withResolvers();
      wanted.resolve();
      await arrived.promise;
    },
    stop: async (): Promise<void> => {
      cancel.abort();
      wanted.resolve();
      await running;
    },
  };
}
