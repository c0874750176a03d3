// What a gateway decides and says before it serves anybody (P2).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LOCAL_WARNING, prepareStart } from '../../../src/sessions/start.ts';
import { describeWith } from '../../services/use-service.ts';
import { type Gateway, type GatewayOptions, newHome, openGateway } from './world.ts';

const open: Gateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

async function started(
  environment: GatewayOptions['environment'],
  { home, yaml }: { home?: string; yaml?: string } = {},
): Promise<Gateway> {
  const place = home ?? (await newHome());
  if (yaml !== undefined) await writeFile(join(place, 'config.yaml'), yaml);
  const gateway = await openGateway({ home: place, environment });
  open.push(gateway);
  return gateway;
}

const noDocker = { DOCKER_HOST: 'unix:///nonexistent/docker.sock' };

it('warns of local in the words that users know', async () => {
  const { world } = await started({ TERMINAL_ENV: 'local' });
  const { warnings, policy } = await prepareStart(world);
  expect(warnings).toEqual([LOCAL_WARNING]);
  expect(policy.isolation).toBe('none');
});

it('starts on what the file says when a variable would undo its isolation', async () => {
  const environment = { ...noDocker, TERMINAL_ENV: 'local' };
  const { world } = await started(environment, { yaml: 'terminal:\n  backend: docker\n' });
  await expect(prepareStart(world)).rejects.toMatchObject({
    code: 'UNAVAILABLE_BACKEND',
    message: expect.stringMatching(/docker \(terminal\.backend, .*config\.yaml:2\) does not work/),
  });
});

it('names the settings of the CLI that are not applied', async () => {
  const yaml = 'terminal:\n  backend: local\n  docker_volumes: ["/srv:/srv"]\n';
  const { world } = await started({}, { yaml });
  const { notes } = await prepareStart(world);
  expect(notes.join('\n')).toMatch(/terminal\.docker_volumes \(.*config\.yaml:3\).*gateway\.sandbox_volumes/);
});

it('warns of a forwarded variable that looks like a secret, and names it without its value (P7)', async () => {
  const yaml = 'terminal:\n  backend: local\ngateway:\n  sandbox_forward_env: [LANG, DEPLOY_TOKEN]\n';
  const { world } = await started({ DEPLOY_TOKEN: 'gr4nite-value' }, { yaml });
  const { warnings } = await prepareStart(world);
  expect(warnings.join('\n')).toMatch(/DEPLOY_TOKEN \(.*config\.yaml:4.*\) looks like a secret/);
  expect(warnings.join('\n')).not.toMatch(/gr4nite|LANG,/);
});

it('does not start when the chosen backend does not work, and takes no other', async () => {
  const { world } = await started({ ...noDocker, TERMINAL_ENV: 'docker' });
  await expect(prepareStart(world)).rejects.toMatchObject({
    code: 'UNAVAILABLE_BACKEND',
    message: expect.stringContaining('No other one is taken'),
  });
});

it('does not start on auto when no isolated backend works', async () => {
  const { world } = await started({ ...noDocker, TERMINAL_BUBBLEWRAP_ROOT: '/nonexistent' });
  await expect(prepareStart(world)).rejects.toMatchObject({
    code: 'UNAVAILABLE_BACKEND',
    message: expect.stringMatching(/docker: .*\n.*bubblewrap: /s),
  });
  expect((await world.store.installation.read()).backend).toBeNull();
});

describeWith('bubblewrap', () => {
  it('takes the first that works on auto, keeps to it, and stops when it does not work any more', async () => {
    const home = await newHome();
    const first = await openGateway({ home, environment: noDocker });
    expect((await prepareStart(first.world)).policy.backend.value).toBe('bubblewrap');
    await first.drop();
    const { world } = await started({ ...noDocker, TERMINAL_BUBBLEWRAP_ROOT: '/nonexistent' }, { home });
    await expect(prepareStart(world)).rejects.toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
    expect((await world.store.installation.read()).backend?.name).toBe('bubblewrap');
  });
});
