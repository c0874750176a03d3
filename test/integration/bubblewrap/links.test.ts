// What root does in the folder of a sandbox whose user is one of this machine's: the owner of a mounted folder. That user plants
// links there, and races to be faster. Root must own, change, mount and remove nothing outside.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchCommand } from '../../../src/backends/bubblewrap/launch.ts';
import { identityOf } from '../../../src/backends/link-free.ts';
import type { Mount } from '../../../src/index.ts';
import { describeGround } from './ground.ts';

const asRoot = it.skipIf(process.getuid?.() !== 0);
const ATTACKER = 12_345;
const ROUNDS = 5;
/** It makes some 100,000 links a second. */
const PERL = '/usr/bin/perl';

/** A folder of the attacker's to mount, and one of root's that everybody can see. */
class Scene implements AsyncDisposable {
  readonly dir: string;
  readonly victim: string;
  readonly work: string;
  readonly mounts: readonly Mount[];
  #attacker: ChildProcess | undefined;

  private constructor(dir: string) {
    this.dir = dir;
    this.victim = join(dir, 'victim');
    this.work = join(dir, 'work');
    this.mounts = [{ source: this.work, target: '/workspace', readOnly: false }];
  }

  static async make(): Promise<Scene> {
    const scene = new Scene(await mkdtemp(join(tmpdir(), 'links-')));
    await chmod(scene.dir, 0o755);
    await mkdir(scene.victim, { mode: 0o755 });
    await writeFile(join(scene.victim, 'treasure'), 'root’s', { mode: 0o600 });
    await mkdir(scene.work);
    await chown(scene.work, ATTACKER, ATTACKER);
    return scene;
  }

  /** Does the same again and again as the attacker, until it is stopped. */
  async attack(folder: string, step: string): Promise<void> {
    const program = `chdir shift or die; our $victim = shift; syswrite STDOUT, "begun"; while (1) { ${step} }`;
    const attacker = spawn(PERL, ['-e', program, folder, this.victim], {
      ...{ uid: ATTACKER, gid: ATTACKER },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#attacker = attacker;
    await once(attacker.stdout, 'data');
  }

  async stop(): Promise<void> {
    const attacker = this.#attacker;
    this.#attacker = undefined;
    if (!attacker || attacker.exitCode !== null) return;
    const ended = once(attacker, 'exit');
    attacker.kill('SIGKILL');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true });
  }
}

describeGround('root in folders of another user of this machine', ground => {
  asRoot('owns nothing that a link there leads to', async () => {
    await using scene = await Scene.make();
    const { sandbox, folder } = await ground().open({ mounts: scene.mounts });
    await scene.attack(join(folder, 'channel'), 'symlink $victim, "ready"');
    for (let round = 0; round < ROUNDS; round++) {
      await sandbox.suspend?.();
      await sandbox.resume?.();
      expect(await stat(scene.victim)).toMatchObject({ uid: 0, gid: 0 });
      expect((await stat(scene.victim)).mode & 0o777).toBe(0o755);
    }
    await scene.stop();
    await sandbox.destroy();
  });

  asRoot('removes only what that user could remove', async () => {
    await using scene = await Scene.make();
    const { sandbox, folder } = await ground().open({ mounts: scene.mounts });
    await mkdir(join(folder, 'home/roots'));
    await writeFile(join(folder, 'home/roots/treasure'), 'root’s');
    await expect(sandbox.destroy()).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    expect(await readFile(join(folder, 'home/roots/treasure'), 'utf8')).toBe('root’s');
    await rm(join(folder, 'home/roots'), { recursive: true });
    await sandbox.destroy();
  });

  asRoot('removes nothing that a folder turns into while it is being removed', async () => {
    await using scene = await Scene.make();
    const swap =
      'rename "folder", "aside"; symlink $victim, "folder"; unlink "folder"; rename "aside", "folder"';
    for (let round = 0; round < ROUNDS; round++) {
      const { sandbox, folder, run } = await ground().open({ mounts: scene.mounts });
      await run('cd ~ && mkdir folder && touch folder/{0..500}');
      await sandbox.suspend?.();
      await scene.attack(join(folder, 'home'), swap);
      // Whether it succeeds is up to the attacker.
      await Promise.allSettled([sandbox.destroy()]);
      await scene.stop();
      expect(await readFile(join(scene.victim, 'treasure'), 'utf8')).toBe('root’s');
      await sandbox.destroy();
    }
  });
});

describeGround('the source of a mount', ground => {
  asRoot('is not followed when a link takes its place later', async () => {
    await using scene = await Scene.make();
    const { sandbox } = await ground().open({ mounts: scene.mounts });
    await sandbox.suspend?.();
    await rename(scene.work, join(scene.dir, 'aside'));
    await symlink(scene.victim, scene.work);
    await expect(sandbox.resume?.()).rejects.toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
    await rm(scene.work);
    await rename(join(scene.dir, 'aside'), scene.work);
    await sandbox.resume?.();
    await sandbox.destroy();
  });

  asRoot('is nothing else than what was looked at, or nothing is started', async () => {
    await using scene = await Scene.make();
    const { dir, victim, work } = scene;
    await mkdir(join(dir, 'places/0'), { recursive: true });
    const launch = {
      ...{
        folder: dir,
        uid: ATTACKER,
        gid: ATTACKER,
        asRoot: true,
        root: undefined,
        isSetuid: false,
        join: [],
      },
      mounts: [{ source: victim, target: '/data', readOnly: false, uid: 0, gid: 0, isFolder: true }],
      identities: new Map([[victim, identityOf(await stat(work))]]),
    };
    const [program, ...args] = launchCommand(launch, () => ({ line: [], flags: [] })).argv;
    const started = spawnSync(program, args, { encoding: 'utf8' });
    expect(started).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('was replaced while the sandbox was started'),
    });
  });
});
