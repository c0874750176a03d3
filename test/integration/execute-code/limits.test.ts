// Programs that do too much, never end, or turn against what runs them: each costs its own sandbox something, and no more.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/tool.ts';
import { column as bubblewrap } from '../../conformance/columns/bubblewrap.ts';
import { LONG_MS, newMarker } from '../../conformance/trial.ts';
import { type Stage, terminal, useStage } from './stage.ts';

/** Nothing of a program is left: no process with the marker, no folder, and the sandbox takes programs. */
async function expectClean({ trial, box, run }: Stage, marker: string): Promise<void> {
  await trial.gone(marker);
  expect((await box.run('ls -d /tmp/hermes-* /var/tmp/hermes-* /workspace/hermes-*')).stdout).toBe('');
  const next = await run('from hermes_tools import echo\nprint(echo("next"))');
  expect(next.text).toBe('next\n');
}

describe(bubblewrap.name, () => {
  const stage = useStage(bubblewrap);

  it('answers 50 calls and refuses the 51st, in the program', async () => {
    const { text, notes } = await stage().run(`
from hermes_tools import echo, ToolError
for n in range(50):
    echo("x")
for n in range(3):
    try: echo("x")
    except ToolError as error: print(error)`);
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(text).toContain('The limit of 50 tool calls for one program is used up; echo was not called.');
    expect(notes).toContain('after 50 tool calls.\n3 tool calls beyond the limit of 50 were refused.');
  });

  it('ends after its time, with all that it has started, and shows what it had printed (P6)', async () => {
    const marker = newMarker();
    const { trial, box, run } = stage();
    const done = run(
      `import subprocess, os
from hermes_tools import terminal
print("begun")
subprocess.Popen(["sleep", "${marker}"], start_new_session=True)
terminal("sleep ${marker}")`,
      { limits: { timeoutMs: LONG_MS } },
    );
    await trial.running(marker, 2);
    box.passTime();
    const { text, notes, isError } = await done;
    expect(text).toBe('begun\n');
    expect(notes).toContain('because its 3600 s were over, after 1 tool call');
    expect(isError).toBe(true);
    await expectClean(stage(), marker);
  });

  it('ends when it is cancelled, and ends the call that it waits for (P6)', async () => {
    const marker = newMarker();
    const cancel = new AbortController();
    const { trial, run } = stage();
    const code = `import hermes_tools as h\nprint("begun")\nh.terminal("sleep ${marker}")`;
    const done = run(code, { signal: cancel.signal });
    await trial.running(`sleep ${marker}`);
    cancel.abort();
    const { text, notes } = await done;
    expect(text).toBe('begun\n');
    expect(notes).toContain('cancelled and ended');
    await expectClean(stage(), marker);
  });

  it('leaves nothing running when it ends by itself', async () => {
    const marker = newMarker();
    const { text, notes } = await stage().run(
      `import subprocess\nsubprocess.Popen(["sleep", "${marker}"], start_new_session=True)\nprint("over")`,
    );
    expect(text).toBe('over\n');
    expect(notes).toContain('1 of its processes were still running when it ended, and were ended: sleep');
    await expectClean(stage(), marker);
  });

  it('may fork without end', async () => {
    const marker = newMarker();
    const { trial, box, run } = stage();
    const code = `# ${marker}
import os, time
while True:
    try: os.fork()
    except OSError: time.sleep(0.01)`;
    const done = run(code, { limits: { timeoutMs: LONG_MS } });
    await trial.until(async () => (await trial.ground.processes('script.py')).length > 25, 'it has forked');
    box.passTime();
    expect((await done).notes).toContain('because its 3600 s were over');
    await trial.gone('script.py');
    await expectClean(stage(), marker);
  });

  it('may leave a fork bomb behind', async () => {
    const { trial } = stage();
    const code = `import os, time
for n in range(10):
    if os.fork() == 0:
        os.setsid()
        while True:
            try: os.fork()
            except OSError: time.sleep(0.01)`;
    const { notes } = await stage().run(code);
    expect(notes).toContain('were still running when it ended, and were ended: python3');
    await trial.gone('script.py');
    await expectClean(stage(), 'script.py');
  });

  it('may flood its output: beginning and end are kept, with the true count', async () => {
    const { text, notes } = await stage().run(
      `import sys
sys.stdout.write("first\\n" + "x" * 50_000_000 + "\\nlast\\n")
sys.stderr.write("e" * 100_000)`,
    );
    expect(text).toMatch(
      /^first\nx+\n… (\d+) bytes left out …\nx+\nlast\n\[stderr\]\ne+\n… 89760 bytes left out …\ne+$/,
    );
    expect(Number(/… (\d+) bytes/.exec(text)?.[1])).toBe(50_000_012 - 51_200);
    expect(notes).toContain('exit code 0');
  });

  it('may flood its line with calls and take no answers: it is read no faster than it takes them', async () => {
    const { text, notes } = await stage().run(
      `import os, time, hermes_tools as h
h.echo("x")
os.set_blocking(h._line._out, False)
last = time.monotonic()
sent = 0
while time.monotonic() - last < 1:
    try:
        sent += os.write(h._line._out, b'7 echo 11\\n{"text":""}' * 100)
        last = time.monotonic()
    except BlockingIOError:
        time.sleep(0.01)
print("full after", sent)`,
      { limits: { mostCalls: 10 } },
    );
    expect(Number(/full after (\d+)/.exec(text)?.[1])).toBeLessThan(5_000_000);
    expect(notes).toContain('after 10 tool calls');
    await expectClean(stage(), 'script.py');
  });

  it('may write nonsense into its line: it has no tools from then on, and nobody else suffers', async () => {
    const { text, notes } = await stage().run(`
import os, hermes_tools as h
h.echo("x")
os.write(h._line._out, b"nonsense " * 100)
try: h.echo("y")
except h.ToolError as error: print(error)
print("goes on")`);
    expect(text).toContain('The connection to the tools is gone');
    expect(text).toContain('goes on\n');
    expect(notes).toContain('was no call');
    await expectClean(stage(), 'script.py');
  });

  it('may kill its parent', async () => {
    const { text, notes } = await stage().run(
      'import os, time\nprint("before")\nos.kill(os.getppid(), 9)\ntime.sleep(1000)',
    );
    expect(text).toBe('before\n');
    expect(notes).toContain('ended by SIGKILL');
    await expectClean(stage(), 'script.py');
  });

  it('may end the processes that carry its calls, and is told', async () => {
    const { text } = await stage().run(`
import os, hermes_tools as h
h.echo("x")
def read(pid, name):
    try: return open("/proc/%s/%s" % (pid, name)).read()
    except OSError: return ""
pids = [pid for pid in os.listdir("/proc") if pid.isdigit()]
wire = [pid for pid in pids if "hermes-wire" in read(pid, "cmdline")]
carriers = [pid for pid in pids if (read(pid, "stat").rpartition(")")[2].split() or "??")[1] in wire]
for pid in wire + carriers:
    try: os.kill(int(pid), 9)
    except ProcessLookupError: pass
print(len(wire), len(carriers))
try: print(h.echo("y"))
except h.ToolError as error: print(error)`);
    expect(text).toMatch(/^1 2\nThe connection to the tools is gone/);
    await expectClean(stage(), 'script.py');
  });

  it('uses no more memory than its sandbox has', async () => {
    const { notes } = await stage().run(
      'x = bytearray(2_000_000_000)\nfor n in range(0, len(x), 4096): x[n] = 1',
    );
    expect(notes).toMatch(/memory of the sandbox was used up|exit code 1 /);
    await expectClean(stage(), 'script.py');
  });

  it('hands a failure of the door on, and is ended', async () => {
    const broken = defineTool<object>({
      name: 'broken',
      description: 'Fails.',
      input: z.object({}),
      insideCode: true,
      summary: () => '',
      run: () => Promise.reject(new Error('the store is gone')),
    });
    const code = 'import hermes_tools as h\nh.broken()\n';
    await expect(stage().run(code, { tools: [broken, terminal] })).rejects.toThrow('the store is gone');
    await expectClean(stage(), 'script.py');
  });
});
