// What the door adds to a call: reading the input, risk, the question whether to ask, redaction, the mark, the audit.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolDoor } from '../src/agent/door.ts';
import { sandboxTerms } from '../src/agent/sandbox-terms.ts';
import type { CallContext } from '../src/agent/tool-caller.ts';
import { ApprovalDesk } from '../src/approvals/desk.ts';
import { Gate } from '../src/approvals/gate.ts';
import { createRedactor } from '../src/base/redact/redactor.ts';
import { sendableFile } from '../src/sessions/attachments.ts';
import { createTools } from '../src/tools/all-tools.ts';
import { defineBench } from './bench.ts';
import { openRows } from './rows.ts';
import { openBenchGateway } from './sessions.ts';

const command = 'echo hi';

/** A command by itself, and the same through the door. */
async function openDoorOn(backend: string, settings: Readonly<Record<string, string>>) {
  const gateway = await openBenchGateway({ TERMINAL_ENV: backend, ...settings });
  const { world, sandboxes } = gateway;
  const session = await gateway.newSession();
  const lease = await sandboxes.lease(session, { purpose: 'bench', actor: 'bench' });
  const { redact, redactLong } = createRedactor({ secrets: [], shapes: 'on' });
  const termsOf = sandboxTerms(world);
  const { clock, log, store } = world;
  const keepsShell: Parameters<typeof createTools>[0]['keepsShell'] = async (of, id) =>
    (await termsOf(of, id)).keepsShell;
  const desk = new ApprovalDesk({
    store,
    clock,
    timeoutMs: 1000,
    show: async () => false,
    allowAlways: async () => {},
  });
  const door = new ToolDoor({
    tools: createTools({ clock, redact: redactLong, sendableFile, keepsShell }),
    gate: new Gate({ desk, audit: store.audit, redact }),
    ...{ clock, termsOf, redact, redactLong, log, audit: store.audit, begunCalls: store.begunCalls },
    approvals: () => ({ mode: 'manual', deny: [], allowlist: [] }),
  });
  const context: CallContext = {
    ...{ session, runId: 'bench', requester: 'bench', mostFileBytes: 0 },
    signal: new AbortController().signal,
    sandbox: async () => lease,
    onOutput: () => {},
    call: call => door.call(call, context),
  };
  const persistent = await keepsShell(session, lease.sandboxId);
  const call = (name: string, input: object) =>
    door.call({ id: 'x', name, input: JSON.stringify(input) }, context);
  const rows = openRows(gateway.home);
  await lease.handle.writeFile('file', 'line\n'.repeat(200));
  return {
    command: {
      run: async () => {
        await lease.exec(command, { persistent });
        // The door keeps one more row, of what it decided.
        rows.write(1);
      },
    },
    terminal: { run: () => call('terminal', { command }) },
    readFile: { run: () => call('read_file', { path: 'file' }) },
    async close() {
      await lease.release();
      rows.close();
      await gateway.close();
    },
  };
}

export const door = defineBench({
  title: 'The door of the tools',
  about:
    'Reading the input, risk, the question whether to ask, redaction, the mark and the audit; on an isolated sandbox and where nothing\nis contained.',
  rounds: 20,
  burst: 4,
  needs: ['bubblewrap'],
  cases: {
    isolated: { name: 'a command, on bubblewrap, and one row written' },
    isolatedDoor: { name: 'the same through the door', against: 'isolated', limit: 2.6, isShort: true },
    isolatedRead: { name: '`read_file` through the door', against: 'isolated', limit: 5 },
    local: { name: 'a command, on local, and one row written' },
    localDoor: { name: 'the same through the door, on local', against: 'local', limit: 4 },
    localRead: { name: '`read_file` through the door, on local', against: 'local', limit: 5 },
  },
  async open() {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-door-')));
    const isolated = await openDoorOn('bubblewrap', {});
    const local = await openDoorOn('local', { TERMINAL_CWD: folder, TERMINAL_LOCAL_PERSISTENT: 'true' });
    return {
      runs: {
        isolated: isolated.command,
        isolatedDoor: isolated.terminal,
        isolatedRead: isolated.readFile,
        local: local.command,
        localDoor: local.terminal,
        localRead: local.readFile,
      },
      async close() {
        await isolated.close();
        await local.close();
        await rm(folder, { recursive: true });
      },
    };
  },
});
