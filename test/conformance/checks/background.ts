// Proofs about what goes on after a command: children that it leaves behind.
import { expect } from 'vitest';
import { LONG_MS, newMarker, spelled } from '../trial.ts';
import { proofs } from '../verifies.ts';
import { stray } from './kill.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

export const leftBehindProofs = proofs(verifies => {
  verifies('background.free', async trial => {
    const { run } = await trial.open();
    const marker = newMarker();
    expect(await run(`sleep ${marker} & echo started`)).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      stdout: 'started\n',
    });
    await trial.running(marker);
    for (let i = 0; i < 3; i++)
      expect(await run(`echo ${i}`)).toMatchObject({ stdout: `${i}\n`, exitCode: 0 });
  });

  verifies('background.apart', async trial => {
    const { run, handle } = await trial.open();
    const noisy = '{ until [ -e go ]; do sleep 0.02; done; echo NOISE; echo NOISE >&2; : >said; sleep';
    expect(await run(`${noisy} ${newMarker()}; } & echo started`)).toMatchObject({ stdout: 'started\n' });
    expect(await run('echo before; : >go')).toMatchObject({ stdout: 'before\n', stderr: '' });
    await trial.until(async () => (await handle.exec('[ -e said ]')).exitCode === 0, 'the child has spoken');
    expect(await run('echo after')).toMatchObject({ stdout: 'after\n', stderr: '' });
  });

  verifies('background.listed', async trial => {
    const { run, handle } = await trial.open();
    const marker = newMarker();
    const command = `{ until [ -e go ]; do sleep 0.02; done; echo LOGGED; exec sleep ${marker}; } & echo started`;
    const { leftBehind } = await run(command);
    expect(leftBehind.length).toBeGreaterThan(0);
    expect(leftBehind.every(({ pid, name }) => pid > 1 && name !== '')).toBe(true);
    await handle.writeFile('go', '');
    const listed = await trial.until(
      async () => (await handle.processes()).find(each => each.command === command),
      'the process is listed',
    );
    expect(await listed.poll()).toEqual({ state: 'running' });
    await trial.until(async () => text(await listed.log()).includes('LOGGED'), 'the log has what it wrote');
    expect(await run('true')).toMatchObject({ leftBehind: [] });
  });

  verifies('background.detached', async trial => {
    const { run, handle } = await trial.open();
    const marker = newMarker();
    const command = `sleep ${marker} </dev/null >/dev/null 2>&1 & true`;
    await run(command);
    expect(await run('echo between')).toMatchObject({ stdout: 'between\n', leftBehind: [] });
    const listed = (await handle.processes()).find(each => each.command === command);
    expect(await listed?.poll()).toEqual({ state: 'running' });
    await listed?.kill();
    await trial.gone(marker);
    expect(await listed?.wait()).toEqual({ state: 'ended' });
    expect(await handle.processes()).toEqual([]);
  });

  verifies('background.ended', async trial => {
    const { run, handle } = await trial.open();
    const marker = newMarker();
    await run(`sleep ${marker} & bash -c 'sleep ${marker}; true' & echo started`);
    for (const process of await handle.processes()) await process.kill();
    await trial.gone(marker);
    const state = async (): Promise<boolean> => (await handle.processes()).length === 0;
    await trial.until(state, 'nothing is listed any more');
    expect(await run('echo next')).toMatchObject({ stdout: 'next\n', leftBehind: [] });
  });

  verifies('background.spared', async trial => {
    const { run, passTime } = await trial.open();
    const [kept, ended] = [newMarker(), newMarker()];
    await run(`sleep ${kept} & echo started`);
    await trial.running(kept);
    const running = run(`sleep ${spelled(ended)}; true`, { timeoutMs: LONG_MS });
    await trial.running(ended);
    passTime();
    expect((await trial.within(running, 'the later command times out')).outcome).toBe('timed-out');
    await trial.gone(ended);
    expect(await trial.ground.processes(kept)).not.toEqual([]);
  });
});

export const strayProofs = proofs(verifies => {
  verifies('background.stray', async trial => {
    const { run, handle, passTime } = await trial.open();
    const [left, ended] = [newMarker(), newMarker()];
    const { leftBehind } = await run(stray(left));
    await trial.running(left);
    expect(leftBehind).toHaveLength(1);
    const running = run(`${stray(ended)}; sleep ${ended}`, { timeoutMs: LONG_MS });
    await trial.running(ended, 2);
    passTime();
    expect(await trial.within(running, 'the later command times out')).toMatchObject({ leftBehind: [] });
    await trial.gone(ended);
    expect(await trial.ground.processes(left)).not.toEqual([]);
    for (const process of await handle.processes()) await process.kill();
    await trial.gone(left);
  });
});

export const jobProofs = proofs(verifies => {
  verifies('background.start', async trial => {
    const { handle } = await trial.open();
    const job = await handle.start('until [ -e go ]; do sleep 0.02; done; exit 7');
    expect(await job.poll()).toEqual({ state: 'running' });
    const ended = job.wait();
    await handle.writeFile('go', '');
    expect(await trial.within(ended, 'it ends')).toEqual({ state: 'exited', exitCode: 7 });
    expect(await job.poll()).toEqual({ state: 'exited', exitCode: 7 });
    expect(await trial.within(job.wait(), 'waiting again ends')).toEqual({ state: 'exited', exitCode: 7 });
  });

  verifies('background.signaled', async trial => {
    const { handle } = await trial.open();
    const job = await handle.start('kill -TERM $$; sleep 1');
    const state = await trial.within(job.wait(), 'it ends');
    expect(state).toMatchObject({ state: 'signaled' });
    expect(state).not.toHaveProperty('exitCode');
    const plain = await handle.start('exit 143');
    expect(await trial.within(plain.wait(), 'it ends')).toEqual({ state: 'exited', exitCode: 143 });
  });

  verifies('background.log', async trial => {
    const { handle } = await trial.open();
    const job = await handle.start('echo out; echo err >&2; until [ -e go ]; do sleep 0.02; done; echo last');
    await trial.until(async () => text(await job.log()) === 'out\nerr\n', 'the log has it while it runs');
    await handle.writeFile('go', '');
    await trial.within(job.wait(), 'it ends');
    await trial.until(async () => text(await job.log()) === 'out\nerr\nlast\n', 'the log has all of it');
  });

  verifies('background.long-log', async trial => {
    const { handle } = await trial.open();
    const job = await handle.start('seq 1 1000000; echo last');
    expect(await trial.within(job.wait(), 'it ends')).toEqual({ state: 'exited', exitCode: 0 });
    const log = await trial.until(async () => {
      const bytes = await job.log();
      return text(bytes).endsWith('\n1000000\nlast\n') && bytes;
    }, 'the log has the end');
    expect(log.length).toBeGreaterThanOrEqual(200_000);
    expect(log.length).toBeLessThan(2_000_000);
    expect(text(log)).toContain('\n980000\n');
  });
});

export const moreJobProofs = proofs(verifies => {
  verifies('background.write', async trial => {
    const { handle } = await trial.open();
    const job = await handle.start(
      'while read -r line; do echo "got $line"; [ "$line" = end ] && exit 4; done',
    );
    await job.write('one\n');
    await trial.until(async () => text(await job.log()) === 'got one\n', 'the first line has arrived');
    await job.write('two\nend\n');
    expect(await trial.within(job.wait(), 'it ends')).toEqual({ state: 'exited', exitCode: 4 });

    const hasEnded = { code: 'SANDBOX_PROCESS_UNKNOWN', message: expect.stringContaining('takes no input') };
    await expect(job.write('three\n')).rejects.toMatchObject(hasEnded);
    const hasty = await handle.start('read -r line');
    // More than a pipe holds, so that it ends in the middle of the writing.
    await expect(hasty.write(`one\n${'x'.repeat(1_000_000)}`)).rejects.toMatchObject(hasEnded);
  });

  verifies('background.kill', async trial => {
    const { handle } = await trial.open();
    const marker = newMarker();
    const job = await handle.start(
      `( setsid sleep ${spelled(marker)} & ); bash -c 'sleep ${spelled(marker)}; true'; echo AFTER`,
    );
    await trial.running(marker, 2);
    expect(await job.kill()).toBe(true);
    await trial.gone(marker);
    expect(await trial.within(job.wait(), 'it ends')).toMatchObject({ state: 'signaled' });
    expect(await job.kill()).toBe(false);
    expect(await job.poll()).toMatchObject({ state: 'signaled' });
    expect(text(await job.log())).not.toContain('AFTER');
  });

  verifies('background.cwd', async trial => {
    const { handle } = await trial.open();
    await handle.exec('mkdir -p "sub folder"');
    const job = await handle.start('pwd', { cwd: 'sub folder' });
    await trial.within(job.wait(), 'it ends');
    await trial.until(async () => text(await job.log()) === `${handle.workdir}/sub folder\n`, 'it was there');
    await expect(handle.start('echo ran', { cwd: 'missing' })).rejects.toMatchObject({
      code: 'SANDBOX_CWD_MISSING',
    });
  });

  verifies('background.wait', async trial => {
    const { handle } = await trial.open();
    const marker = newMarker();
    const job = await handle.start(`exec sleep ${marker}`);
    const reason = new Error('waited enough');
    await expect(job.wait({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const waiting = job.wait({ signal: abort.signal });
    abort.abort(reason);
    await expect(trial.within(waiting, 'the wait is given up')).rejects.toBe(reason);
    expect(await job.poll()).toEqual({ state: 'running' });
    await trial.running(marker);
  });

  verifies('background.found', async trial => {
    const { handle } = await trial.open();
    const command = `echo "it's"\nsleep ${newMarker()}`;
    const { id } = await handle.start(command);
    const found = await handle.process(id);
    expect(found).toMatchObject({ id, command });
    expect(await found.poll()).toEqual({ state: 'running' });
    expect((await handle.processes()).map(each => each.command)).toEqual([command]);
    for (const unknown of ['unknown', '../..', ''])
      await expect(handle.process(unknown)).rejects.toMatchObject({ code: 'SANDBOX_PROCESS_UNKNOWN' });
  });
});
