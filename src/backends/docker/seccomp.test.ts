import { describe, expect, it } from 'vitest';
import { infoAnswer } from './answers.ts';
import { seccompProfileFor } from './seccomp.ts';

const old = infoAnswer.parse({
  ServerVersion: '20.10.24+dfsg1',
  Architecture: 'x86_64',
  SecurityOptions: ['name=apparmor', 'name=seccomp,profile=default'],
});

interface Profile {
  readonly defaultAction: string;
  readonly syscalls: readonly { names: readonly string[]; action: string; args?: unknown }[];
}

/** Calls that are allowed whatever their arguments. */
function allowedBy(profile: string | undefined): string[] {
  const { syscalls } = JSON.parse(profile ?? '') as Profile; // made by the function under test
  return syscalls
    .filter(({ action, args }) => action === 'SCMP_ACT_ALLOW' && args === undefined)
    .flatMap(({ names }) => names);
}

describe('the seccomp profile', () => {
  it.each(['20.10.24', '20.10.25', '23.0.6', '24.0.9'])('is ours on the engine %s', ServerVersion => {
    const profile = seccompProfileFor({ ...old, ServerVersion }, []);
    expect(JSON.parse(profile ?? '')).toMatchObject({ defaultAction: 'SCMP_ACT_ERRNO' });
  });

  it.each(['19.03.15', '20.10.23', '25.0.0', '28.2.2', '4.3.1', 'master-dockerproject', ''])(
    'is the engine’s own on the engine %j',
    ServerVersion => {
      expect(seccompProfileFor({ ...old, ServerVersion }, [])).toBeUndefined();
    },
  );

  it('is the one that the engine’s operator has chosen', () => {
    const SecurityOptions = ['name=seccomp,profile=/etc/docker/own.json'];
    expect(seccompProfileFor({ ...old, SecurityOptions }, [])).toBeUndefined();
    expect(seccompProfileFor({ ...old, SecurityOptions: [] }, [])).toBeUndefined();
  });

  it('is the engine’s own on a processor that we know nothing of', () => {
    expect(seccompProfileFor({ ...old, Architecture: 's390x' }, [])).toBeUndefined();
  });

  it('names each call once, and none of what io_uring, namespaces, mounts and keys are made with', () => {
    for (const Architecture of ['x86_64', 'aarch64']) {
      const allowed = allowedBy(seccompProfileFor({ ...old, Architecture }, []));
      expect(allowed.length).toBe(new Set(allowed).size);
      for (const name of [
        ...['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone', 'clone3', 'unshare', 'setns'],
        ...['mount', 'bpf', 'keyctl', 'add_key', 'userfaultfd', 'perf_event_open', 'kexec_load', 'socket'],
      ]) {
        expect(allowed).not.toContain(name);
      }
    }
  });

  it('has what an added capability is for', () => {
    expect(allowedBy(seccompProfileFor(old, []))).not.toContain('chroot');
    expect(allowedBy(seccompProfileFor(old, ['CAP_SYS_CHROOT', 'CHOWN']))).toContain('chroot');
  });
});
