// Folders and variables of the settings, as they reach commands of `hermes run` and `hermes shell`.
import { chown, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dockerCommand } from '../../services/docker.ts';
import type { ImageAddress } from '../../services/image.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Ended, runProgram } from '../run-program.ts';
import { hostArguments } from './outside.ts';

const program = join(import.meta.dirname, '../../../bin/hermes.js');
const isRoot = process.getuid?.() === 0;

let home: string;
let project: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'docker-cli-')));
  project = join(home, 'project');
  await Promise.all([mkdir(project), mkdir(join(home, 'hermes')), mkdir(join(home, 'data'))]);
});
afterEach(() => rm(home, { recursive: true }));

type Values = Readonly<Record<string, unknown>>;
type More = { readonly env?: Record<string, string>; readonly input?: string; readonly cwd?: string };

/** Runs the CLI in the project folder, with these settings below `terminal`. */
async function hermes(
  { docker, image }: ImageAddress,
  settings: Values,
  args: readonly [string, ...string[]],
  { env = {}, input = '', cwd = project }: More = {},
): Promise<Ended> {
  const always = { backend: 'docker', docker_image: image, docker_network: 'none', container_memory: 256 };
  await writeFile(join(home, 'hermes/config.yaml'), JSON.stringify({ terminal: { ...always, ...settings } }));
  return runProgram([process.execPath, program, ...args], {
    cwd,
    input,
    env: { HOME: home, HERMES_HOME: join(home, 'hermes'), DOCKER_HOST: docker.host, ...env },
  });
}

describeWith('image-bookworm', address => {
  const run = (settings: Values, command: string, more: More = {}) =>
    hermes(address(), settings, ['run', '--', command], more);

  it('mount nothing and forward nothing unless they say so', async () => {
    await writeFile(join(project, 'there'), 'seen');
    const { stdout, stderr } = await run({}, 'pwd; ls -A; echo "<$TOKEN>"', { env: { TOKEN: 'x' } });
    expect({ stdout, stderr }).toEqual({ stdout: '/workspace\n<>\n', stderr: '' });
  });

  it('put the folder of the CLI at /workspace, where new files belong to its owner', async () => {
    await writeFile(join(project, 'there'), 'seen\n');
    if (isRoot) await chown(project, 1234, 1235);
    const settings = { docker_mount_cwd_to_workspace: true };
    const { stdout, stderr } = await run(settings, 'pwd; cat there; echo made >new; mkdir sub; id -u');
    const { uid, gid } = await stat(project);
    expect(stdout).toBe(`/workspace\nseen\n${uid}\n`);
    expect(stderr).toContain(`Commands run as ${uid}:${gid}, the owner of ${project}`);
    expect(await readFile(join(project, 'new'), 'utf8')).toBe('made\n');
    for (const name of ['new', 'sub']) expect(await stat(join(project, name))).toMatchObject({ uid, gid });
  });

  it('serve hermes shell as well', async () => {
    const settings = { docker_mount_cwd_to_workspace: true, docker_forward_env: ['TOKEN'] };
    const { stdout } = await hermes(address(), settings, ['shell'], {
      input: 'echo "$TOKEN" >from-shell\ncat from-shell\n',
      env: { TOKEN: 'told' },
    });
    expect(stdout).toBe('told\n');
    expect(await readFile(join(project, 'from-shell'), 'utf8')).toBe('told\n');
  });

  it('mount volumes with their mode', async () => {
    await writeFile(join(home, 'data/file'), 'content\n');
    const settings = { docker_volumes: ['~/data:/mnt/data:ro', `${project}:/mnt/project`] };
    const { stdout, stderr } = await run(settings, 'cat /mnt/data/file; touch /mnt/project/x /mnt/data/x');
    expect(stdout).toBe('content\n');
    expect(stderr).toContain('Read-only file system');
    expect((await stat(join(project, 'x'))).uid).toBe((await stat(project)).uid);
  });
});

describeWith('image-bookworm', address => {
  const run = (settings: Values, command: string, more: More = {}) =>
    hermes(address(), settings, ['run', '--', command], more);
  const docker = (...args: string[]) => dockerCommand(address().docker, ...args);

  it.each([
    [{ docker_volumes: ['data:/x'] }, 78, 'data:/x is not accepted'],
    [{ docker_volumes: ['/tmp:/x:rx'] }, 78, '[:ro|rw]'],
    [{ docker_volumes: ['/no/such/folder:/x'] }, 71, '/no/such/folder'],
    [{ docker_volumes: ['/etc:/x:ro'] }, 71, 'docker_allow_dangerous_volumes'],
    [{ docker_volumes: ['~/hermes:/x'] }, 71, 'holds credentials'],
    [{ docker_forward_env: ['NOT-A-NAME'] }, 78, 'names of variables'],
    [{ docker_forward_env: ['TOKEN=value'] }, 78, 'names of variables'],
  ])('refuse %j before anything runs', async (settings, code, message) => {
    const ended = await run(settings, 'echo ran');
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  it('refuse a folder of the CLI that hands over the host', async () => {
    const ended = await run({ docker_mount_cwd_to_workspace: true }, 'echo ran', { cwd: '/etc' });
    expect(ended).toMatchObject({ code: 71, stdout: '' });
    expect(ended.stderr).toContain('/etc cannot be mounted at /workspace');
  });

  it('warn about a dangerous volume that is allowed', async () => {
    const settings = { docker_volumes: ['/etc:/x:ro'], docker_allow_dangerous_volumes: true };
    const { code, stderr } = await run(settings, 'test -e /x/passwd');
    expect(code).toBe(0);
    expect(stderr).toContain('Warning: /etc is mounted into a sandbox although it is in /etc');
  });

  it('explain a workspace that the configured user cannot write', async ({ skip }) => {
    if (!isRoot) return skip('not run: only root can give a folder away');
    await chown(project, 1234, 1235);
    const settings = { docker_mount_cwd_to_workspace: true, docker_user: '4242' };
    const { code, stderr, stdout } = await run(settings, 'echo ran');
    expect({ code, stdout }).toEqual({ code: 71, stdout: '' });
    expect(stderr).toContain('Commands run as 4242 and cannot write to /workspace');
    expect(stderr).toContain('terminal.docker_user to "1234:1235"');
  });

  it('P7: forward values that stand in no argument and no record of the engine', async () => {
    await writeFile(join(home, 'hermes/.env'), 'FROM_FILE=s3cret-of-the-file\n', { mode: 0o600 });
    const settings = { docker_forward_env: ['FROM_FILE', 'FROM_ENVIRONMENT', 'NOWHERE'] };
    const env = { FROM_ENVIRONMENT: 's3cret-of-the-environment' };
    const ready = join(project, 'ready');
    const script = `echo "$FROM_FILE $FROM_ENVIRONMENT"; touch /mnt/ready; while [ -e /mnt/ready ]; do sleep 0.05; done`;
    const running = run({ ...settings, docker_volumes: [`${project}:/mnt`] }, script, { env });
    try {
      await expect.poll(() => stat(ready)).toBeDefined();
      const names = (await docker('ps', '--quiet', '--filter', `volume=${project}`)).split('\n');
      const records = await docker('inspect', ...names.filter(name => name !== ''));
      expect(records).toContain(project);
      for (const text of [records, await hostArguments()]) expect(text).not.toContain('s3cret');
    } finally {
      await rm(ready);
    }
    const { stdout, stderr } = await running;
    expect(stdout).toBe('s3cret-of-the-file s3cret-of-the-environment\n');
    expect(stderr).toContain('NOWHERE');
    expect(stderr).not.toContain('s3cret');
  });
});
