// The line between a program in a sandbox and the gateway, on each kind of backend.
import { describe, expect, it } from 'vitest';
import type { Wire } from '../../../src/sandboxes/wire.ts';
import { column as bubblewrap } from '../../conformance/columns/bubblewrap.ts';
import { column as docker } from '../../conformance/columns/docker.ts';
import { column as busybox } from '../../conformance/columns/local-busybox.ts';
import { newMarker } from '../../conformance/trial.ts';
import { type Stage, useStage } from './stage.ts';

interface Opened {
  readonly wire: Wire;
  readonly folder: string;
  received(): Buffer;
}

async function open({ box }: Stage): Promise<Opened> {
  const name = `${box.handle.workdir}/wire-${newMarker()}`;
  await box.run(`mkdir -m 700 ${name} && mkfifo ${name}/to-gateway ${name}/from-gateway`);
  const pieces: Uint8Array[] = [];
  const wire = await box.handle.openWire({ folder: name, onData: bytes => void pieces.push(bytes.slice()) });
  return { wire, folder: name, received: () => Buffer.concat(pieces) };
}

for (const column of [bubblewrap, docker, busybox]) {
  describe(column.name, () => {
    const stage = useStage(column);

    it('carries bytes both ways, whole and as they are', async () => {
      const { trial, box } = stage();
      const { wire, folder, received } = await open(stage());
      const bytes = Buffer.alloc(2_000_000, Buffer.from(Array.from({ length: 251 }, (_, n) => n)));
      const back = box.run(
        `dd bs=1000 count=2000 iflag=fullblock <${folder}/from-gateway >${folder}/to-gateway`,
      );
      await wire.send(bytes);
      expect((await back).exitCode).toBe(0);
      await trial.until(async () => received().length >= bytes.length, 'all of it has come back');
      expect(received().equals(bytes)).toBe(true);
      expect(await wire.close()).toEqual({ folder: 'removed' });
      expect((await box.run(`ls -d ${folder}`)).stdout).toBe('');
      await trial.gone(folder);
    });

    it('keeps a program waiting that writes faster than it is read', async () => {
      const { box, trial } = stage();
      const folder = `${box.handle.workdir}/wire-${newMarker()}`;
      await box.run(`mkdir ${folder} && mkfifo ${folder}/to-gateway ${folder}/from-gateway`);
      const reading = Promise.withResolvers<void>();
      let read = 0;
      const wire = await box.handle.openWire({
        folder,
        onData: bytes => {
          read += bytes.length;
          return reading.promise;
        },
      });
      const write = `head -c 20000000 /dev/zero >${folder}/to-gateway`;
      expect((await box.run(`timeout -s KILL 1 bash -c '${write}'`)).exitCode).not.toBe(0);
      expect(read).toBeLessThan(5_000_000);
      reading.resolve();
      expect((await box.run(write)).exitCode).toBe(0);
      await trial.until(async () => read > 20_000_000, 'all of it has come');
      await wire.close();
    });

    it('says so when somebody has killed it, and nothing of it goes on', async () => {
      const { box, trial } = stage();
      const { wire, folder } = await open(stage());
      const kill = `for d in /proc/[0-9]*; do
  [[ $(tr '\\0' ' ' <$d/cmdline) == *hermes-wire\\ ${folder}* ]] && kill -9 \${d#/proc/}
done 2>/dev/null; :`;
      await trial.running(folder);
      await box.run(kill);
      expect(await wire.close()).toEqual({ folder: 'left' });
      await trial.gone(folder);
      await box.run(`rm -r ${folder}`);
    });
  });
}
