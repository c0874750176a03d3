// Proofs of what goes into a command: its standard input and its own text.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { proofs } from '../verifies.ts';

const TEN_MEGABYTES = 10_000_000;

const ODD = `a'b"c\\d $HOME \`x\` %s %% \\n !! * ? [z] {1,2} ~ # ;& |`;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const stdinProofs = proofs(verifies => {
  verifies('stdin.eof', async trial => {
    const { run } = await trial.open();
    expect(await run('cat; echo end', { stdin: 'line\nrest' })).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      stdout: 'line\nrestend\n',
    });
    expect(await run('wc -c', { stdin: '' })).toMatchObject({ outcome: 'exited', stdout: '0\n' });
  });

  verifies('stdin.none', async trial => {
    const { run } = await trial.open();
    expect(await run('cat; echo end')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'end\n' });
  });

  verifies('stdin.megabytes', async trial => {
    const { run } = await trial.open();
    const stdin = randomBytes(TEN_MEGABYTES);
    const result = await run('sha256sum', { stdin });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(result.stdout.split(' ')[0]).toBe(createHash('sha256').update(stdin).digest('hex'));
  });

  verifies('stdin.unread', async trial => {
    const { run } = await trial.open();
    const stdin = randomBytes(TEN_MEGABYTES);
    expect(await run('exit 3', { stdin })).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: '' });
    expect(await run('cat; echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
  });
});

export const scriptProofs = proofs(verifies => {
  verifies('script.quotes', async trial => {
    const { run } = await trial.open();
    const result = await run(`printf '%s\\n' ${quoted(ODD)} "\\"it's\\"" $'tab\\there'; echo 'a
b'`);
    expect(result).toMatchObject({
      outcome: 'exited',
      stdout: `${ODD}\n"it's"\ntab\there\na\nb\n`,
      stderr: '',
    });
  });

  verifies('script.lines', async trial => {
    const { run } = await trial.open();
    const result = await run(`
# a comment
for word in one \\
  two; do
  echo "$word" # another
done

echo end # without a newline`);
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'one\ntwo\nend\n', stderr: '' });
  });

  verifies('script.heredoc', async trial => {
    const { run } = await trial.open();
    const result = await run(`x=5
cat <<'END'
$x 'as' "is"
END
cat <<-END
\t$x
END
cat <<<"here $x"
cat <<END
last`);
    expect(result.outcome).toBe('exited');
    expect(result.stdout).toBe(`$x 'as' "is"\n5\nhere 5\nlast${result.stdout.endsWith('\n') ? '\n' : ''}`);
  });
});

export const oddScriptProofs = proofs(verifies => {
  verifies('script.unicode', async trial => {
    const { run } = await trial.open();
    const text = 'äöü ß – „Zitat“ 漢字 🎉 عربى e\u0301 \u00a0\u200b\u2028';
    expect(await run(`echo '${text}'; echo '${text}' >&2`)).toMatchObject({
      stdout: `${text}\n`,
      stderr: `${text}\n`,
    });
  });

  verifies('script.megabyte', async trial => {
    const { run } = await trial.open();
    const line = `: ${'x'.repeat(97)}\n`;
    const result = await run(
      `echo begin\n${line.repeat(10_000)}value='${'v'.repeat(200_000)}'; echo "\${#value}"; exit 3`,
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'begin\n200000\n' });
  });

  verifies('script.empty', async trial => {
    const { run } = await trial.open();
    for (const command of ['', '\n', '# nothing'])
      expect(await run(command)).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: '', stderr: '' });
  });

  verifies('script.nul', async trial => {
    const { run, handle } = await trial.open();
    await expect(run('echo ran >ran\0; echo more')).rejects.toMatchObject({ code: 'USAGE_BAD_ARGUMENTS' });
    expect(await run('echo next')).toMatchObject({ outcome: 'exited', stdout: 'next\n' });
    await expect(handle.readFile('ran')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });

  verifies('script.unterminated', async trial => {
    const { run } = await trial.open();
    for (const command of [`echo 'open`, 'echo "open', 'echo $(open', 'if true; then echo x']) {
      const result = await run(command);
      expect(result.outcome).toBe('exited');
      expect(result.exitCode).toBeGreaterThan(0);
      expect(result.stderr).not.toBe('');
      expect(await run('echo next')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'next\n' });
    }
  });
});
