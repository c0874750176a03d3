// Programs and the real door: their calls are asked about, redacted and recorded like those of the model (P7 P8).
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createExecuteCode } from '../../../src/execute-code/execute-code.ts';
import { sendableFile } from '../../../src/sessions/attachments.ts';
import { createTools } from '../../../src/tools/all-tools.ts';
import { describeWith } from '../../services/use-service.ts';
import { removeOutside, useGateways } from '../sessions/use-gateways.ts';
import { type DoorOptions, openDoor, plain, SECRET } from '../tools/door-world.ts';

const redact = (text: string): string => text;
/** What programs are offered; their calls go through the door, to tools of its own. */
const tools = createTools({ clock: systemClock, redact, sendableFile, keepsShell: async () => true });
const limits = { timeoutMs: 45_000, mostCalls: 50, stdoutBytes: 50_000, stderrBytes: 10_000 };
const extraTools = [createExecuteCode({ tools, limits, redact })];

describeWith('bubblewrap', () => {
  const { started } = useGateways();
  const opened = async (options: DoorOptions = {}, environment: Record<string, string> = {}) => {
    const gateway = await started({ environment });
    return { gateway, door: await openDoor(gateway, { extraTools, ...options }) };
  };

  it('a program works with the files of the session through the tools', async () => {
    const { gateway, door } = await opened();
    await using _ = door;
    const answer = await door.call('execute_code', {
      code: `from hermes_tools import write_file, read_file, edit_file, search_files, list_files, terminal
write_file("a/one.txt", "alpha\\nbeta\\n")
edit_file("a/one.txt", "beta", "gamma")
assert "gamma" in read_file("a/one.txt"), read_file("a/one.txt")
assert "one.txt" in search_files("gamma")
assert "one.txt" in list_files("a")
print(terminal("cat a/one.txt").split(), "${SECRET}", terminal("echo ${SECRET}"))`,
    });
    expect(plain(answer)).toContain("['alpha', 'gamma'] [redacted:known] [redacted:known]\n");
    expect(answer.isError).toBe(false);
    const audit = await gateway.world.store.audit.list({ limit: 50 });
    const subjects = audit.filter(({ action }) => action === 'tool').map(({ subject }) => subject);
    expect(subjects).toContain('terminal: cat a/one.txt');
    expect(subjects.join()).not.toContain(SECRET);
  });

  it('a sandbox that is gone is replaced before the program runs, and that is told', async () => {
    const { gateway, door } = await opened();
    await using _ = door;
    await door.call('terminal', { command: 'echo x' });
    await removeOutside(gateway);
    const answer = await door.call('execute_code', {
      code: 'from hermes_tools import terminal\nprint(terminal("echo back"))',
    });
    expect(plain(answer)).toMatch(/back[\s\S]*\n.*sandbox/);
    expect(answer.isError).toBe(false);
  });

  it('where nothing is contained the program is asked about first, whole, and then what it calls (P8)', async () => {
    const code = `from hermes_tools import terminal, ToolError
try:
    terminal("rm -rf ~/.ssh")
except ToolError as error:
    print("refused:", error)
# ${'x'.repeat(3000)} the end`;
    const owner: DoorOptions['owner'] = question =>
      question.command.startsWith('execute_code') ? 'yes' : 'no';
    const { gateway, door } = await opened({ owner }, { TERMINAL_ENV: 'local', TERMINAL_CWD: '/tmp' });
    await using _ = door;
    const answer = await door.call('execute_code', { code });
    expect(door.asked.map(({ command }) => command)).toEqual([
      `execute_code (python)\n${code}`,
      expect.stringContaining('rm -rf ~/.ssh'),
    ]);
    expect(plain(answer)).toContain('refused: [Not run: ');
    const never = join(gateway.home, 'never');
    const denied = await openDoor(gateway, { extraTools, chat: 'other', owner: () => 'no' });
    await using __ = denied;
    const second = await denied.call('execute_code', { code: `open(${JSON.stringify(never)}, "w")` });
    expect(second.text).toContain('Not run: ');
    expect((await denied.lease.exec(`ls ${never}`)).exitCode).not.toBe(0);
  });
});
