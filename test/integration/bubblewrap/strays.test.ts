// Processes that have cast off everything by which they could be told: environment, group, session, parent. In a sandbox
// with process ids of its own they belong to the command that they came from all the same (P6).
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { countHostProcesses, describeGround, type Opened } from './ground.ts';

let count = 0;
/** Stands in the arguments of one `sleep` only. */
const newMarker = (): string => `7700${++count}.${process.pid}`;
const running = (marker: string): Promise<number> => countHostProcesses(`sleep ${marker}`);
const waited = (marker: string, processes: number) =>
  expect.poll(() => running(marker), { timeout: 10_000 }).toBe(processes);

/** Twice out of its session, and nobody's child. */
const stray = (marker: string, environment = ''): string =>
  `env -i ${environment} setsid -f setsid -f sleep ${marker} </dev/null >/dev/null 2>&1`;

/** Takes so many steps before it rests, each as a process that nobody knows. */
const HOP =
  'exec </dev/null >/dev/null 2>&1; (($1 > 0)) || exec sleep $2; exec env -i setsid -f bash hop $(($1 - 1)) $2';

async function timeOut({ handle }: Opened, command: string, up: () => Promise<unknown>): Promise<void> {
  const abort = new AbortController();
  const ended = handle.exec(command, { signal: abort.signal });
  await up();
  abort.abort();
  expect(await ended).toMatchObject({ outcome: 'canceled', leftBehind: [] });
}

describeGround('a stray', ground => {
  it('ends with its command, whatever tag it has invented, and also as the command itself', async () => {
    const box = await ground().open();
    for (const environment of ['', 'HERMES_COMMAND=invented', `HERMES_COMMAND=${'a'.repeat(16)}`]) {
      const marker = newMarker();
      await timeOut(box, `${stray(marker, environment)}; sleep ${marker}`, () => waited(marker, 2));
      await waited(marker, 0);
    }
    const itself = newMarker();
    await timeOut(box, `exec env -i sleep ${itself}`, () => waited(itself, 1));
    await waited(itself, 0);
    await box.handle.destroy();
  });

  it('ends with its command although it has made itself the folder of a job, or carries the tag of one that has ended', async () => {
    const box = await ground().open();
    const job = await box.handle.start('true');
    await job.wait();
    const { channelDir } = box.sandbox;
    for (const folder of [`jobs/invented`, `jobs-left/invented`, `jobs/${job.id}`]) {
      const marker = newMarker();
      const forged = `mkdir -p ${channelDir}/${folder}; ${stray(marker, `HERMES_COMMAND=${basename(folder)}`)}`;
      await timeOut(box, `${forged}; sleep ${marker}`, () => waited(marker, 2));
      await waited(marker, 0);
      const ended = newMarker();
      const { leftBehind } = await box.handle.exec(stray(ended, `HERMES_COMMAND=${basename(folder)}`));
      expect(leftBehind).toHaveLength(1);
    }
    await box.handle.destroy();
  });

  it('is listed when its command ends by itself, and goes on until somebody ends it', async () => {
    const box = await ground().open();
    const [left, other] = [newMarker(), newMarker()];
    const { leftBehind } = await box.handle.exec(stray(left));
    expect(leftBehind).toEqual([expect.objectContaining({ name: 'sleep' })]);
    await timeOut(box, `${stray(other)}; sleep ${other}`, () => waited(other, 2));
    await waited(other, 0);
    expect(await running(left)).toBe(1);
    const [listed, ...more] = await box.handle.processes();
    expect(more).toEqual([]);
    await listed?.kill();
    await waited(left, 0);
    await box.handle.destroy();
  });

  it('of a job that is ended does not take other jobs for its kin, nor those of an earlier gateway', async () => {
    const box = await ground().open();
    const [first, second, later] = [newMarker(), newMarker(), newMarker()];
    const { id } = await box.handle.start(`${stray(first)}; exec sleep ${first}`);
    await box.handle.start(`exec sleep ${second}`);
    await waited(first, 2);
    await waited(second, 1);
    const again = await ground().enter(box.sandbox);
    await again.handle.start(`exec sleep ${later}`);
    await waited(later, 1);
    await (await again.handle.process(id)).kill();
    await waited(first, 0);
    expect(await Promise.all([second, later].map(running))).toEqual([1, 1]);
    await box.handle.destroy();
  });

  it('does not take jobs and the persistent shell for its kin', async () => {
    const box = await ground().open();
    const [ended, job, inJob, kept] = [newMarker(), newMarker(), newMarker(), newMarker()];
    await timeOut(box, `${stray(ended)}; sleep ${ended}`, async () => {
      await waited(ended, 2);
      await box.handle.start(`(setsid sleep ${inJob} &); exec sleep ${job}`);
      await box.handle.exec(`x=kept; sleep ${kept} &`, { persistent: true });
      for (const marker of [job, inJob, kept]) await waited(marker, 1);
    });
    await waited(ended, 0);
    expect(await Promise.all([job, inJob, kept].map(running))).toEqual([1, 1, 1]);
    expect((await box.handle.exec('echo $x', { persistent: true })).stdout).toBe('kept\n');
    await box.handle.destroy();
  });
});

describeGround('a stray in motion', ground => {
  it('is listed although it goes from process to process while its command ends', async () => {
    const box = await ground().open();
    await box.handle.writeFile('hop', HOP);
    for (let round = 0; round < 20; round++) {
      const marker = newMarker();
      const { leftBehind } = await box.handle.exec(`setsid -f bash hop ${round % 10} ${marker}`);
      expect(leftBehind).toEqual([expect.objectContaining({ name: 'sleep' })]);
    }
    await box.handle.destroy();
  });
});
