// Proofs that the persistent shell keeps its state, and that commands apart from it see what they should.
import { expect } from 'vitest';
import { LONG_MS, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';

export const keepingProofs = proofs(verifies => {
  verifies('persistent.cwd', async trial => {
    const { keep, handle } = await trial.open();
    await keep("mkdir -p 'a b/c'; cd 'a b'");
    await keep('cd c');
    expect((await keep('pwd; cd - >/dev/null; pwd')).stdout).toBe(
      `${handle.workdir}/a b/c\n${handle.workdir}/a b\n`,
    );
    expect((await keep('pwd')).stdout).toBe(`${handle.workdir}/a b\n`);
  });

  verifies('persistent.variables', async trial => {
    const { keep } = await trial.open();
    await keep(
      `x=$'it\\'s "a"\\n$HOME\\t\\x01ü'; list=(one 'two words' ''); declare -A map=([k]=v ['a b']='c d'); declare -i n=41`,
    );
    await keep('n+=1');
    const { stdout } = await keep(
      `printf '[%s]' "$x" "\${list[@]}" "\${map[k]}" "\${map[a b]}" "$n"; bash -c 'echo "\${x-none}"'`,
    );
    expect(stdout).toBe(`[it's "a"\n$HOME\t\x01ü][one][two words][][v][c d][42]none\n`);
  });

  verifies('persistent.exports', async trial => {
    const { keep } = await trial.open();
    await keep(`export PLAIN=yes ODD=$'two\\nlines'; unset -v HOME`);
    expect((await keep(`bash -c 'echo "$PLAIN $ODD \${HOME-unset}"'`)).stdout).toBe('yes two\nlines unset\n');
  });

  verifies('persistent.functions', async trial => {
    const { keep } = await trial.open();
    await keep('greet() { local who=${1-nobody}; echo "hello $who"; }; shout() { greet "$@" | tr a-z A-Z; }');
    expect((await keep('greet you; shout')).stdout).toBe('hello you\nHELLO NOBODY\n');
  });

  verifies('persistent.aliases', async trial => {
    const { keep } = await trial.open();
    await keep(`shopt -s expand_aliases; alias say='echo said'`);
    expect((await keep('say it')).stdout).toBe('said it\n');
  });

  verifies('persistent.options', async trial => {
    const { keep } = await trial.open();
    await keep('set -o pipefail -f; shopt -s nullglob extglob; umask 027');
    const { stdout } = await keep('false | true; echo $?; echo *; shopt -q nullglob extglob; echo $?; umask');
    expect(stdout).toBe('1\n*\n0\n0027\n');
  });
});

export const restoringProofs = proofs(verifies => {
  verifies('persistent.apart', async trial => {
    const { keep, handle } = await trial.open();
    await keep('x=kept; export y=kept; cd /');
    expect((await handle.exec('echo "${x-none} ${y-none}"; pwd; x=lost; export y=lost')).stdout).toBe(
      `none none\n${handle.workdir}\n`,
    );
    expect((await keep('echo "$x $y"; pwd')).stdout).toBe('kept kept\n/\n');
  });

  verifies('persistent.restored', async trial => {
    const { keep, handle } = await trial.open();
    await keep('mkdir sub; cd sub; x="a  b"; list=(1 2); export y=out; f() { echo "f $1"; }; umask 027');
    await keep(
      `shopt -s expand_aliases nullglob; alias say='echo said'; set -o pipefail; trap 'echo usr' USR1`,
    );
    const dead = await keep('kill -9 $$');
    expect(dead).toMatchObject({ outcome: 'signaled', signal: 'SIGKILL' });
    const command =
      'pwd; echo "$x ${list[1]}"; bash -c \'echo $y\'; f 1; say it; shopt -q nullglob && echo nullglob; umask';
    const next = await keep(`${command}; false | true; echo $?; trap -p USR1`);
    expect(next.stdout).toBe(
      `${handle.workdir}/sub\na  b 2\nout\nf 1\nsaid it\nnullglob\n0027\n1\ntrap -- 'echo usr' SIGUSR1\n`,
    );
    expect(next).toMatchObject({ outcome: 'exited', stderr: '' });
    expect([...dead.notices, ...next.notices].length).toBeGreaterThan(0);
    expect((await keep('true')).notices).toEqual([]);
  });

  verifies('persistent.unfinished', async trial => {
    const { keep, passTime } = await trial.open();
    const marker = newMarker();
    await keep('x=old; mkdir sub; : >runs');
    const running = keep(`x=new; cd sub; echo run >>../runs; sleep ${spelled(marker)}; true`, {
      timeoutMs: LONG_MS,
    });
    await trial.running(marker);
    passTime();
    const ended = await trial.within(running, 'it times out');
    expect(ended.outcome).toBe('timed-out');
    const next = await keep('echo $x; cat runs');
    expect(next).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'old\nrun\n' });
    expect([...ended.notices, ...next.notices].length).toBeGreaterThan(0);
  });
});

export const fallbackProofs = proofs(verifies => {
  verifies('persistent.stdin', async trial => {
    const { keep, handle } = await trial.open();
    await keep('mkdir sub; cd sub; export OUT=exported; INNER=kept; shell=$$');
    const alone = await keep('cat; pwd; echo "$OUT ${INNER-none}"; OUT=changed; cd /', { stdin: 'given\n' });
    expect(alone).toMatchObject({
      outcome: 'exited',
      stdout: `given\n${handle.workdir}/sub\nexported none\n`,
    });
    expect((await keep('pwd; echo "$OUT $INNER"; [ $$ = $shell ] && echo same')).stdout).toBe(
      `${handle.workdir}/sub\nexported kept\nsame\n`,
    );
  });

  verifies('persistent.sudo', async trial => {
    const { keep, handle } = await trial.open();
    await handle.writeFile('bin/sudo', '#!/usr/bin/env bash\necho "sudo: $*"\nexec "$@"\n');
    await keep(
      'chmod 755 bin/sudo; export PATH="$PWD/bin:$PATH" OUT=exported; INNER=kept; shell=$$; mkdir sub; cd sub',
    );
    const command = 'sudo pwd && sudo echo "$OUT ${INNER-none}"; echo $$';
    const [alone, shell] = [await keep(command), (await keep('echo $shell')).stdout.trim()];
    const lines = alone.stdout.trim().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'sudo: pwd',
      `${handle.workdir}/sub`,
      'sudo: echo exported none',
      'exported none',
    ]);
    expect(lines[4]).not.toBe(shell);
    expect((await keep('echo "$INNER"')).stdout).toBe('kept\n');
  });
});
