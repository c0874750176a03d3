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
import { type Bench, defineBench, type UseService } from './bench.ts';
import { useEngine } from './docker.ts';
import { openBenchGateway } from './sessions.ts';

type BenchGateway = Awaited<ReturnType<typeof openBenchGateway>>;

const limits = {
  timeoutMs: 3_600_000,
  mostCalls: Number.MAX_SAFE_INTEGER,
  stdoutBytes: 51_200,
  stderrBytes: 10_240,
};

export const executeCode = benchOn('bubblewrap', 'bubblewrap', async () => ({ TERMINAL_ENV: 'bubblewrap' }));

export const executeCodeDocker = benchOn('docker', 'image-bookworm', async use => {
  const { image } = await useEngine(use);
  return { TERMINAL_ENV: 'docker', TERMINAL_DOCKER_IMAGE: image };
});

function benchOn(
  backend: string,
  service: 'bubblewrap' | 'image-bookworm',
  settingsOf: (use: UseService) => Promise<Readonly<Record<string, string>>>,
): Bench {
  return defineBench({
    title: `Tool calls of programs, on ${backend}`,
    about:
      'The same call of `terminal`, by the model or from a program of `execute_code`, both through the door with risk, redaction and audit.',
    rounds: 20,
    burst: 5,
    needs: [service],
    cases: {
      direct: { name: '`terminal`, called directly' },
      program: { name: 'the same, from a program', against: 'direct', limit: 1.8 },
      python: { name: '`python3 -c pass`, as a command' },
      nothing: { name: 'a program that does nothing', against: 'python', limit: 6 },
    },
    async open(use) {
      const gateway = await openBenchGateway(await settingsOf(use));
      const lease = await gateway.lease('steady');
      const caller = await callingProgram(gateway, lease);
      await caller.ready;
      return {
        runs: {
          direct: { run: caller.callDirectly },
          program: { run: caller.nextCall },
          python: { run: () => lease.exec('python3 -c pass') },
          nothing: { run: () => caller.run('pass') },
        },
        close: async () => {
          await caller.stop();
          await lease.release();
          await gateway.close();
        },
      };
    },
  });
}

/** All tools and execute_code, behind the door that asks nobody. */
function doorOn({ world }: BenchGateway): ToolDoor {
  const { clock, log, store } = world;
  const { redact, redactLong } = createRedactor({ secrets: [], shapes: 'on' });
  const termsOf = sandboxTerms(world);
  const tools = createTools({
    ...{ clock, redact: redactLong, sendableFile },
    keepsShell: async (session, id) => (await termsOf(session, id)).keepsShell,
  });
  const desk = new ApprovalDesk({
    ...{ store, clock, timeoutMs: 1000, allowAlways: async () => {} },
    show: async () => false,
  });
  return new ToolDoor({
    ...{ clock, termsOf, redact, redactLong, log, audit: store.audit, begunCalls: store.begunCalls },
    tools: [...tools, createExecuteCode({ tools, limits, redact: redactLong })],
    gate: new Gate({ desk, audit: store.audit, redact }),
    approvals: () => ({ mode: 'manual', deny: [], allowlist: [] }),
  });
}

/** A program that calls the tool again and again; each call is held until `nextCall` lets it through. */
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
