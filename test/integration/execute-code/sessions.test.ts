// Programs in the sandboxes of sessions: each in its own, also when it loses it, and on docker from end to end.
import { describe, expect, it } from 'vitest';
import { column as docker } from '../../conformance/columns/docker.ts';
import { describeWith } from '../../services/use-service.ts';
import { request, useGateways } from '../sessions/use-gateways.ts';
import { runCode, useStage } from './stage.ts';

describeWith('bubblewrap', () => {
  const gateways = useGateways();

  it('keeps programs of two sessions apart (P3)', async () => {
    const gateway = await gateways.started();
    const program = (own: string): string => `
import os, time
from hermes_tools import terminal
terminal("echo ${own} >canary; export CANARY=${own}")
open("/tmp/canary", "w").write("${own}\\n")
for n in range(20):
    print(terminal("cat canary /tmp/canary; echo $CANARY").split())
print(sorted(name for name in os.listdir("/tmp") if "hermes" in name)[1:], os.environ.get("CANARY"))`;
    const canaries = ['canary-one', 'canary-two'];
    const texts = await Promise.all(
      canaries.map(async canary => {
        await using lease = await gateway.sandboxes.lease(await gateway.session(canary), request);
        return (await runCode(lease, program(canary))).text;
      }),
    );
    for (const [at, own] of canaries.entries()) {
      const line = `['${own}', '${own}', '${own}']\n`;
      expect(texts[at]).toBe(`${line.repeat(20)}[] None\n`);
    }
  });

  it('may kill whatever it can reach, and the session goes on', async () => {
    const gateway = await gateways.started();
    await using lease = await gateway.sandboxes.lease(await gateway.session('violent'), request);
    const killed = await runCode(lease, 'import os\nos.kill(-1, 9)');
    expect(killed.isError).toBe(true);
    expect(killed.notes).toContain('What became of the program is not known');
    const next = await runCode(lease, 'from hermes_tools import echo\nprint(echo("next"))');
    expect(next.text).toBe('next\n');
  });
});

describe(docker.name, () => {
  const stage = useStage(docker);

  it('runs programs in a container, calls and all', async () => {
    const { box, run } = stage();
    const { text, notes } = await run(`
import os, threading
from hermes_tools import terminal, echo, ToolError
terminal("echo made in the container >file")
found = []
threads = [threading.Thread(target=lambda: found.append(terminal("cat file"))) for n in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(set(found), echo("é", times=3), os.path.exists("file"))
try:
    terminal("exit 3")
except ToolError as error:
    print("failed")
[echo("x") for n in range(45)]`);
    expect(text).toContain("{'made in the container'} ééé True\nfailed\n");
    expect(text).toContain('The limit of 50 tool calls for one program is used up');
    expect(notes).toContain('exit code 1 after 50 tool calls');
    expect((await box.run('ls -d /tmp/hermes-*')).stdout).toBe('');
  });
});
