// `hermes sandbox explain` as an operator calls it: without a gateway, without an engine (P2).
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeWith } from '../../services/use-service.ts';
import { commandIn, hermesAt } from './hermes.ts';
import { openGateway } from './world.ts';

/** Nothing answers there. */
const noDocker = { DOCKER_HOST: 'unix:///nonexistent/docker.sock' };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'explain-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function explained(env: Record<string, string>, ...args: string[]): Promise<unknown> {
  return hermesAt(home, { ...noDocker, ...env }).json('sandbox', 'explain', ...args);
}

describe('hermes sandbox explain', () => {
  it('says by default that auto has not chosen, what it will try, and makes nothing', async () => {
    expect(await explained({})).toMatchObject({
      decision: 'undecided',
      backend: { value: 'auto', origin: 'default', among: ['docker', 'bubblewrap'] },
      network: { value: 'none', origin: 'gateway.sandbox_network, default' },
      mounts: { value: [] },
      credentials: { value: [] },
      approvals: { value: 'manual', origin: 'approvals.mode, default' },
      exposures: [],
      asked: { about: [], by: [] },
      sandbox: null,
    });
    const text = await hermesAt(home, noDocker).text('sandbox', 'explain', '--as', 'telegram:123');
    expect(text).toContain('telegram:123, who has no session yet');
    expect(text).toContain('auto: docker, then bubblewrap');
    expect(text).toContain('has not chosen yet');
    expect(await readdir(home)).toEqual([]);
  });

  it('P2: the gateway’s own backend stands above a stale TERMINAL_ENV', async () => {
    await writeFile(
      join(home, 'config.yaml'),
      'gateway:\n  terminal_backend: docker\n  sandbox_image: debian\n  sandbox_network: open\n',
    );
    expect(await explained({ TERMINAL_ENV: 'local' })).toMatchObject({
      decision: 'decided',
      backend: {
        value: 'docker',
        origin: expect.stringMatching(/^gateway.terminal_backend, .*config.yaml:2$/),
      },
      image: { value: 'debian', origin: expect.stringContaining('config.yaml:3') },
      network: { value: 'open', origin: expect.stringContaining('config.yaml:4') },
      exposures: [expect.stringContaining('network')],
      asked: { about: ['network', 'credentials', 'data', 'vcs', 'cloud', 'unresolved'], by: [] },
    });
  });

  it('P2: stays with the file where a stale TERMINAL_ENV would undo it', async () => {
    await writeFile(join(home, 'config.yaml'), 'terminal:\n  backend: docker\n');
    const { stdout, stderr } = await hermesAt(home).run(['sandbox', 'explain', '--json'], {
      TERMINAL_ENV: 'local',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'decided',
      backend: { value: 'docker', origin: expect.stringMatching(/config\.yaml:2$/) },
    });
    expect(stderr).toMatch(/"docker.*config\.yaml:2.*not .*local.*TERMINAL_ENV/);
  });

  it('names the exposure of local, and settings that serve the CLI only', async () => {
    await writeFile(
      join(home, 'config.yaml'),
      'terminal:\n  backend: local\n  docker_forward_env: [TOKEN]\n',
    );
    expect(await explained({})).toMatchObject({
      backend: { value: 'local' },
      network: { value: 'open', origin: 'the backend local cannot close it' },
      exposures: [expect.stringContaining('This machine itself')],
      notApplied: [expect.stringContaining('gateway.sandbox_forward_env')],
    });
  });

  it.each([
    [['--as', 'telegram'], 'PLATFORM:USER'],
    [['nosuch'], 'no session'],
    [['a', '--as', 'b:c'], 'not both'],
  ])('refuses %j', async (args, text) => {
    expect(await hermesAt(home).error('sandbox', 'explain', ...args)).toMatchObject({
      exit: 2,
      message: expect.stringContaining(text),
    });
  });
});

describeWith('bubblewrap', () => {
  it('of a session follows its switch, and says that its sandbox has drifted', async () => {
    const environment = { TERMINAL_ENV: 'bubblewrap' };
    const gateway = await openGateway({ home, environment });
    try {
      const id = await commandIn(gateway, 'chat7', 'true');
      const session = await gateway.session('chat7');
      const hermes = hermesAt(home, environment);
      expect(await hermes.json('sandbox', 'explain', session.id.slice(0, 10))).toMatchObject({
        session: { id: session.id, chat: 'chat7' },
        network: { value: 'none' },
        sandbox: { id, state: 'ready', hasDrifted: false, drift: [] },
      });
      await gateway.world.store.sessions.setNetwork(session.id, 'open');
      expect(await hermes.json('sandbox', 'explain', '--as', 'test:chat7')).toMatchObject({
        network: { value: 'open', origin: 'switched for this session' },
        sandbox: { id, hasDrifted: true, drift: [{ part: 'network', was: 'none', is: 'open' }] },
      });
      const text = await hermes.text('sandbox', 'explain', session.id);
      expect(text).toContain('network: "none", now "open"');
      expect(text).toContain('rebuilt with the next command');
      expect(await hermes.text('sandbox', 'inspect', id)).toContain('have changed since it was made');
    } finally {
      await gateway.close();
    }
  });
});
