// Proofs that the persistent shell survives what commands do to it: the next one answers with the state of the last
// finished one, and a result says when the shell was replaced.
import { expect } from 'vitest';
import type { ExecResult } from '../../../src/index.ts';
import { type Box, LONG_MS, newMarker, type Trial } from '../trial.ts';
import { proofs } from '../verifies.ts';

interface Patient {
  readonly box: Box;
  /** Says whether the shell is the same as in the beginning. */
  isSameShell(): Promise<boolean>;
}

/** A shell with a state that can be recognised. */
async function admit(trial: Trial): Promise<Patient> {
  const box = await trial.open();
  await box.keep(
    'mkdir sub; cd sub; kept=\'a  b\'; export out=exported; recall() { builtin echo "recalled $kept"; }',
  );
  const pid = async (): Promise<string> => (await box.keep('builtin echo "$$"')).stdout;
  const first = await pid();
  return { box, isSameShell: async () => (await pid()) === first };
}

/** The shell answers, and knows its state; if it is another one, that was said. */
async function expectRecovered({ box, isSameShell }: Patient, hostile: ExecResult): Promise<void> {
  const next = await box.keep(
    'builtin echo "$PWD|$kept|$out"; recall; builtin echo problem >&2; (builtin exit 6)',
  );
  expect(next).toMatchObject({ outcome: 'exited', exitCode: 6 });
  expect(next.stdout).toContain(`${box.handle.workdir}/sub|a  b|exported\n`);
  expect(next.stdout).toContain('recalled a  b\n');
  expect(next.stderr).toContain('problem\n');
  const notices = [...hostile.notices, ...next.notices];
  if (await isSameShell()) expect(notices).toEqual([]);
  else expect(notices.length).toBeGreaterThan(0);
  expect(await box.handle.exec('echo apart')).toMatchObject({ outcome: 'exited', stdout: 'apart\n' });
}

/** A command that must not end the shell: exit 0, and no noise. */
async function expectHarmless(trial: Trial, command: string): Promise<Patient> {
  const patient = await admit(trial);
  const hostile = await patient.box.keep(`${command}\nbuiltin echo done`);
  expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 0 });
  await expectRecovered(patient, hostile);
  return patient;
}

export const endingProofs = proofs(verifies => {
  verifies('persistent.exit', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('echo said; echo problem >&2; exit 3');
    expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'said\n', stderr: 'problem\n' });
    expect(hostile.notices.length).toBeGreaterThan(0);
    await expectRecovered(patient, hostile);
  });

  verifies('persistent.exec', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('echo said; exec true');
    expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'said\n' });
    expect(hostile.notices.length).toBeGreaterThan(0);
    await expectRecovered(patient, hostile);
    expect(await patient.box.keep("exec bash -c 'echo other; exit 5'")).toMatchObject({
      outcome: 'exited',
      exitCode: 5,
      stdout: 'other\n',
    });
  });

  verifies('persistent.killed', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('echo said; kill -9 $$; echo not reached');
    expect(hostile).toMatchObject({ outcome: 'signaled', signal: 'SIGKILL', stdout: 'said\n' });
    expect(hostile.notices.length).toBeGreaterThan(0);
    await expectRecovered(patient, hostile);
  });

  verifies('persistent.spinning', async trial => {
    const patient = await admit(trial);
    const running = patient.box.keep('echo said; : >up; while :; do :; done', { timeoutMs: LONG_MS });
    await trial.until(
      async () => (await patient.box.handle.exec('[ -e sub/up ]')).exitCode === 0,
      'it spins',
    );
    patient.box.passTime();
    const hostile = await trial.within(running, 'it times out');
    expect(hostile).toMatchObject({ outcome: 'timed-out', stdout: 'said\n' });
    await expectRecovered(patient, hostile);
  });
});

export const fatalProofs = proofs(verifies => {
  verifies('persistent.errexit', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('set -eu; echo said; false; echo not reached');
    expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 1, stdout: 'said\n' });
    await expectRecovered(patient, hostile);
    const unset = await patient.box.keep('set -u; echo "$no_such_variable"; echo not reached');
    expect(unset).toMatchObject({ outcome: 'exited', stdout: '' });
    expect(unset.exitCode).toBeGreaterThan(0);
    expect(await patient.box.keep('set -eu')).toMatchObject({ outcome: 'exited', exitCode: 0, stderr: '' });
    expect(await patient.box.keep('echo "$kept"')).toMatchObject({
      exitCode: 0,
      stdout: 'a  b\n',
      stderr: '',
    });
  });

  verifies('persistent.noexec', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('echo said; set -n; echo not reached');
    expect(hostile).toMatchObject({ outcome: 'exited', stdout: 'said\n' });
    await expectRecovered(patient, hostile);
  });

  verifies('persistent.exit-trap', async trial => {
    const patient = await expectHarmless(trial, `trap 'builtin echo BYE' EXIT`);
    expect(await patient.box.keep('echo quiet')).toMatchObject({ stdout: 'quiet\n' });
    const ended = await patient.box.keep('exit 4');
    expect(ended).toMatchObject({ outcome: 'exited', exitCode: 4 });
    expect(['', 'BYE\n']).toContain(ended.stdout);
    expect(await patient.box.keep('trap - EXIT; recall')).toMatchObject({
      exitCode: 0,
      stdout: 'recalled a  b\n',
    });
  });

  verifies('persistent.quote', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep(`echo 'open`);
    expect(hostile.outcome).toBe('exited');
    expect(hostile.exitCode).toBeGreaterThan(0);
    await expectRecovered(patient, hostile);
  });
});

export const survivalProofs = proofs(verifies => {
  verifies('persistent.exec-output', async trial => {
    const patient = await expectHarmless(trial, 'exec >file 2>&1; echo into');
    expect(await patient.box.keep('echo seen; cat file')).toMatchObject({ stdout: 'seen\ninto\ndone\n' });
    const closed = await admit(trial);
    await expectRecovered(closed, await closed.box.keep('exec >&- 2>&-'));
  });

  verifies('persistent.exec-input', async trial => {
    const patient = await expectHarmless(trial, 'exec <&-');
    expect(await patient.box.keep('cat; echo end')).toMatchObject({ outcome: 'exited', stdout: 'end\n' });
  });

  verifies('persistent.xtrace', async trial => {
    for (const option of ['-x', '-v']) {
      const { box } = await expectHarmless(trial, `set ${option}`);
      const traced = await box.keep('echo hi');
      expect(traced).toMatchObject({ exitCode: 0, stdout: 'hi\n' });
      expect(traced.stderr).not.toMatch(/hermes/i);
      if (option === '-x') expect(traced.stderr).toContain('+ echo hi');
    }
  });

  verifies('persistent.ifs', async trial => {
    for (const value of ["''", '0123456789', "$' /.\\n'", 'adeinox']) {
      const { box } = await expectHarmless(trial, `IFS=${value}`);
      expect((await box.keep(`[ "$IFS" = ${value} ] && builtin echo same`)).stdout).toBe('same\n');
    }
  });

  verifies('persistent.path', async trial => {
    const { box } = await expectHarmless(trial, 'export saved=$PATH; PATH=');
    expect(await box.keep('sleep 0')).toMatchObject({ outcome: 'exited', exitCode: 127 });
    const alone = await box.keep('while read -r line; do echo "got $line"; done', { stdin: 'a\nb\n' });
    expect(alone).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'got a\ngot b\n' });
    expect(await box.keep('PATH=$saved; cat <<<back')).toMatchObject({ exitCode: 0, stdout: 'back\n' });
  });
});

export const disguiseProofs = proofs(verifies => {
  verifies('persistent.debug-trap', async trial => {
    const { box } = await expectHarmless(trial, `trap 'builtin echo DEBUG "$BASH_COMMAND" >&2' DEBUG`);
    const traced = await box.keep('echo hi');
    expect(traced).toMatchObject({ exitCode: 0, stdout: 'hi\n' });
    expect(traced.stderr).toContain('DEBUG echo hi\n');
    expect(traced.stderr).not.toMatch(/hermes/i);
    await box.keep('trap - DEBUG');
    expect(await box.keep('echo quiet')).toMatchObject({ stdout: 'quiet\n', stderr: '' });
  });

  verifies('persistent.shadowed', async trial => {
    const names = [
      'printf',
      'echo',
      'read',
      'cd',
      'eval',
      'set',
      'declare',
      'trap',
      'export',
      'shopt',
      'exec',
    ];
    await expectHarmless(trial, 'printf(){ :; }');
    await expectHarmless(trial, names.map(name => `${name}() { :; }`).join('; '));
  });

  verifies('persistent.disabled', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('enable -n echo');
    expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 0 });
    const next = await patient.box.keep('printf "%s|%s\\n" "$PWD" "$kept"; exit 3');
    expect(next).toMatchObject({
      outcome: 'exited',
      exitCode: 3,
      stdout: `${patient.box.handle.workdir}/sub|a  b\n`,
    });
  });

  verifies('persistent.disabled-own', async trial => {
    const patient = await admit(trial);
    const hostile = await patient.box.keep('enable -n printf read cd declare trap set');
    expect(hostile).toMatchObject({ outcome: 'exited', exitCode: 0 });
    await expectRecovered(patient, hostile);
  });

  verifies('persistent.limited', async trial => {
    // The size of files concerns what the shell itself writes down.
    const { box } = await admit(trial);
    expect(await box.keep('ulimit -f 1; echo hi')).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      stdout: 'hi\n',
    });
    expect(await box.keep('echo again')).toMatchObject({ outcome: 'exited', stdout: 'again\n' });
  });

  verifies('persistent.posix', async trial => {
    const { box } = await expectHarmless(trial, 'set -o posix');
    expect((await box.keep('shopt -qo posix && echo posix')).stdout).toBe('posix\n');
    // In this mode a failing special builtin ends the shell.
    expect((await box.keep('. /no/such/file; echo not reached')).outcome).toBe('exited');
    expect((await box.keep('recall')).stdout).toBe('recalled a  b\n');
  });
});

export const oddityProofs = proofs(verifies => {
  verifies('persistent.loops', async trial => {
    for (const word of ['break', 'continue', 'break 5', 'continue 5', 'return', 'return 4']) {
      const patient = await admit(trial);
      const hostile = await patient.box.keep(`builtin echo said; ${word}`);
      expect(hostile).toMatchObject({ outcome: 'exited', stdout: 'said\n' });
      await expectRecovered(patient, hostile);
    }
    // What was cut short is never told by the status of the command before.
    const { box } = await admit(trial);
    await box.keep('true');
    const cut = await box.keep('for i in 1; do break 2; done; echo AFTER; true');
    expect(cut.exitCode === 0).toBe(cut.stdout === 'AFTER\n');
  });

  verifies('persistent.readonly', async trial => {
    const { box } = await expectHarmless(trial, 'readonly fixed=1; declare -r list=(1 2)');
    expect((await box.keep('kill -9 $$')).outcome).toBe('signaled');
    const next = await box.keep('echo "$fixed ${list[1]}"; recall; fixed=2');
    expect(next.stdout).toBe('1 2\nrecalled a  b\n');
    expect(next.stderr).toContain('readonly');
  });

  verifies('persistent.folder', async trial => {
    const { keep, handle } = await trial.open();
    const marker = newMarker();
    await keep(`mkdir ${marker}; cd ${marker}; kept=yes`);
    await handle.exec(`rm -r ${marker}`);
    expect(await keep('echo "$kept"; exit 3')).toMatchObject({
      outcome: 'exited',
      exitCode: 3,
      stdout: 'yes\n',
    });
    expect(await keep('echo "$kept"')).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: 'yes\n' });
  });
});
