// What a tool call costs more when a program of execute_code makes it, on a real sandbox and both through the door; and what
// a program costs itself.
import { ToolDoor } from '../src/agent/door.ts';
import { sandboxTerms } from '../src/agent/sandbox-terms.ts';
import type { CallContext } from '../src/agent/tool-caller.ts';
import { ApprovalDesk } from '../src/approvals/desk.ts';
import { Gate } from '../src/approvals/gate.ts';
import { createRedactor } from '../src/base/redact/redactor.ts';
import { createExecuteCode } from '../src/execute-code/execute-code.ts';
import { sendableFile } from '../src/sessions/attachments.ts';
import { createTools } from '../src/tools/all-tools.ts';
import type { Bench } from './bench.ts';
import { openBenchGateway } from './sessions.ts';

type BenchGateway = Awaited<ReturnType<typeof openBenchGateway>>;

const direct = 'terminal, called directly';
const interpreter = 'python3 -c pass, as a command';
const limits = {
  timeoutMs: 3_600_000,
  mostCalls: Number.MAX_SAFE_INTEGER,
  stdoutBytes: 51_200,
  stderrBytes: 10_240,
};

export const executeCode: Bench = benchOn('bubblewrap', () => ({ TERMINAL_ENV: 'bubblewrap' }));

/** Needs an engine, and an image with bash and Python in HERMES_BENCH_IMAGE. */
export const executeCodeDocker: Bench = benchOn('docker', () => {
  const image = process.env['HERMES_BENCH_IMAGE'];
  if (image) return { TERMINAL_ENV: 'docker', TERMINAL_DOCKER_IMAGE: image };
  console.error('not run: HERMES_BENCH_IMAGE names no image');
  return undefined;
});

function benchOn(name: string, settingsOf: () => Readonly<Record<string, string>> | undefined): Bench {
  return {
    doc: `Tool calls of programs on the ${name} backend`,
    rounds: 40,
    warmUp: 5,
    burst: 5,
    async open() {
      const settings = settingsOf();
      if (!settings) return { cases: [], close: async () => {} };
      const gateway = await openBenchGateway(settings);
      const lease = await gateway.lease('steady');
      const caller = await callingProgram(gateway, lease);
      await caller.ready;
      return {
        cases: [
          { name: direct, run: caller.callDirectly },
          { name: 'the same, from a program', run: caller.nextCall, against: direct, limit: { extraMs: 3 } },
          { name: interpreter, run: () => lease.exec('python3 -c pass') },
          { name: 'a program that does nothing', run: () => caller.run('pass'), against: interpreter },
        ],
        close: async () => {
          await caller.stop();
          await lease.release();
          await gateway.close();
        },
      };
    },
  };
}

/** All tools and execute_code, behind the door that asks nobody. */
function doorOn({ world }: BenchGateway): ToolDoor {
  const { clock, log, store } = world;
  const { redact } = createRedactor({ secrets: [], shapes: 'on' });
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    ...{ clock, redact, sendableFile },
    keepsShell: async (session, id) => (await termsOf(session, id)).keepsShell,
  });
  const desk = new ApprovalDesk({
    ...{ store, clock, timeoutMs: 1000, allowAlways: async () => {} },
    show: async () => false,
  });
  return new ToolDoor({
    ...{ clock, termsOf, redact, log, audit: store.audit },
    tools: [...tools, createExecuteCode({ tools, limits, redact })],
    gate: new Gate({ desk, audit: store.audit, redact }),
    approvals: () => ({ mode: 'manual', deny: [], allowlist: [] }),
  });
}

/** A program that calls the tool again and again; each call is held until somebody wants to see how long it takes. */
async function callingProgram(gateway: BenchGateway, lease: Awaited<ReturnType<BenchGateway['lease']>>) {
  const door = doorOn(gateway);
  const cancel = new AbortController();
  let arrived = Promise.withResolvers<void>();
  let wanted = Promise.withResolvers<void>();
  const context: CallContext = {
    ...{ session: await gateway.newSession('steady'), runId: 'bench', requester: 'bench' },
    ...{ signal: cancel.signal, onOutput: () => {}, mostFileBytes: 0, sandbox: async () => lease },
    call: async given => {
      arrived.resolve();
      await wanted.promise;
      wanted = Promise.withResolvers();
      return door.call(given, { ...context, caller: 'program' });
    },
  };
  const call = (name: string, input: object) =>
    door.call({ id: 'bench', name, input: JSON.stringify(input) }, context);
  const run = (code: string) => call('execute_code', { code });
  const running = run('from hermes_tools import terminal\nwhile True: terminal("true")');
  return {
    run,
    ready: arrived.promise,
    callDirectly: () => call('terminal', { command: 'true' }),
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
