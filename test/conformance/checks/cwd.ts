// Proofs of where commands run.
import { expect } from 'vitest';
import { proofs } from '../verifies.ts';

const ODD_FOLDERS = [
  'two words',
  `it's "odd"`,
  'line\nbreak',
  '-dash',
  'ünï 漢',
  '$HOME `x`',
  '*',
  'back\\slash',
];

export const cwdProofs = proofs(verifies => {
  verifies('cwd.configured', async trial => {
    const spec = await trial.ground.spec();
    const { run, handle } = await trial.open(spec);
    if (spec.cwd !== undefined) expect(handle.workdir).toBe(spec.cwd);
    expect((await run('pwd')).stdout).toBe(`${handle.workdir}\n`);
    expect((await run(': >writable && echo "$?"')).stdout).toBe('0\n');
  });

  verifies('cwd.call', async trial => {
    const { run, handle } = await trial.open();
    await run('mkdir sub');
    expect((await run('pwd', { cwd: `${handle.workdir}/sub` })).stdout).toBe(`${handle.workdir}/sub\n`);
    expect((await run('pwd')).stdout).toBe(`${handle.workdir}\n`);
    expect((await run('pwd; exit 3', { cwd: '/' })).stdout).toBe('/\n');
    expect((await run('pwd')).stdout).toBe(`${handle.workdir}\n`);
  });

  verifies('cwd.relative', async trial => {
    const { run, handle } = await trial.open();
    await run('mkdir -p sub/deep');
    if (trial.mode === 'persistent') await run('cd sub');
    expect((await run('pwd', { cwd: 'sub/deep' })).stdout).toBe(`${handle.workdir}/sub/deep\n`);
    expect((await run('pwd', { cwd: '.' })).stdout).toBe(`${handle.workdir}\n`);
    expect((await run('pwd', { cwd: 'sub/..' })).stdout).toBe(`${handle.workdir}\n`);
  });

  verifies('cwd.odd', async trial => {
    const { run, handle } = await trial.open();
    for (const name of ODD_FOLDERS) {
      const cwd = `${handle.workdir}/${name}`;
      await handle.writeFile(`${cwd}/inside`, name);
      expect((await run('cat inside; pwd', { cwd })).stdout).toBe(`${name}${cwd}\n`);
    }
  });

  verifies('cwd.missing', async trial => {
    const { run, handle } = await trial.open();
    const ran = `echo ran >'${handle.workdir}/ran'`;
    await handle.writeFile('file', '');
    for (const cwd of ['missing', `${handle.workdir}/file`, '/no/such/folder'])
      await expect(run(ran, { cwd })).rejects.toMatchObject({ code: 'SANDBOX_CWD_MISSING' });
    await expect(run(ran, { cwd: 'missing', stdin: 'x' })).rejects.toMatchObject({
      code: 'SANDBOX_CWD_MISSING',
    });
    expect(await run('pwd')).toMatchObject({ outcome: 'exited', stdout: `${handle.workdir}\n` });
    await expect(handle.readFile('ran')).rejects.toMatchObject({ code: 'SANDBOX_FILE_MISSING' });
  });
});
