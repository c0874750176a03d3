import { describe, expect, it } from 'vitest';
import { EngineFault, EngineUnreachable } from './engine.ts';
import { adviceFor, type Circumstances, notCreated } from './faults.ts';

const base: Circumstances = { phase: 'create', name: 'hermes-x', image: 'debian:12', isElsewhere: false };

function messageOf(status: number, text: string, changes: Partial<Circumstances> = {}): string {
  const error = notCreated(new EngineFault(status, text), { ...base, ...changes });
  expect(error).toMatchObject({ code: 'SANDBOX_NOT_CREATED' });
  return (error as Error).message; // asserted above
}

function unreachableBy(code: string): EngineUnreachable {
  const endpoint = { address: { socketPath: '/var/run/docker.sock' }, origin: 'DOCKER_HOST' };
  return new EngineUnreachable(endpoint, Object.assign(new Error(`connect ${code}`), { code }));
}

describe('a failed creation', () => {
  it.each<[why: string, status: number, text: string, changes: Partial<Circumstances>, advice: string]>([
    ['a full disk', 500, 'write /var/lib: no space left on device', {}, 'docker system prune'],
    ['an architecture', 500, 'exec /bin/sh: exec format error', { phase: 'ready' }, 'processor architecture'],
    [
      'a platform',
      404,
      'no matching manifest for linux/arm64 in the manifest list',
      { phase: 'pull' },
      'binfmt',
    ],
    ['a mount', 400, 'invalid mount config: bind source path does not exist: /x', {}, 'Check the path'],
    ['a mount elsewhere', 400, 'bind source path does not exist: /x', { isElsewhere: true }, 'engine’s host'],
    ['a runtime', 400, 'unknown or invalid runtime name: runsc', {}, 'terminal.docker_runtime'],
    ['a network', 404, 'network mine not found', { phase: 'start' }, 'docker network ls'],
    ['a name', 409, 'Conflict. The container name is already in use', {}, 'left alone'],
    ['a missing image', 404, 'pull access denied for x', { phase: 'pull' }, 'docker login'],
    ['a registry', 500, 'dial tcp: i/o timeout', { phase: 'pull' }, 'registry could not be reached'],
    ['anything else', 500, 'the moon is full', { phase: 'start' }, 'journalctl'],
  ])('explains %s', (_, status, text, changes, advice) => {
    const message = messageOf(status, text, changes);
    expect(message).toContain(advice);
    expect(message).toContain(text);
    expect(message).toContain(`phase ${changes.phase ?? 'create'}`);
  });

  it('passes on what is not the engine’s', () => {
    const own = new Error('mine');
    expect(notCreated(own, base)).toBe(own);
  });
});

describe('an engine that cannot be reached', () => {
  it.each([
    ['EACCES', 'may not use', 'usermod -aG docker'],
    ['ENOENT', 'No Docker engine answers', 'DOCKER_HOST'],
    ['ECONNREFUSED', 'No Docker engine answers', 'systemctl start docker'],
    ['ETIMEDOUT', 'does not answer', 'restart it'],
  ])('is explained by %s', (code, what, fix) => {
    const advice = adviceFor(unreachableBy(code));
    expect(advice.message).toContain(what);
    expect(advice.message).toContain('/var/run/docker.sock (from DOCKER_HOST)');
    expect(advice.fix).toContain(fix);
  });

  it('is another error than a sandbox that could not be made', () => {
    expect(notCreated(unreachableBy('ENOENT'), base)).toMatchObject({ code: 'UNAVAILABLE_BACKEND' });
  });
});
