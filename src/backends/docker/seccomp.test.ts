import { describe, expect, it } from 'vitest';
import { infoAnswer } from './answers.ts';
import { seccompProfileFor } from './seccomp.ts';
import { refusesSetId } from './set-id.ts';

const old = infoAnswer.parse({
  ServerVersion: '20.10.24+dfsg1',
  Architecture: 'x86_64',
  SecurityOptions: ['name=apparmor', 'name=seccomp,profile=default'],
});

const USUAL = { extraCaps: [], refusesSetId: false };
const ON_HOST = { extraCaps: [], refusesSetId: true };

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
    const profile = seccompProfileFor({ ...old, ServerVersion }, USUAL);
    expect(JSON.parse(profile ?? '')).toMatchObject({ defaultAction: 'SCMP_ACT_ERRNO' });
  });

  it.each(['19.03.15', '20.10.23', '25.0.0', '28.2.2', '4.3.1', 'master-dockerproject', ''])(
    'is the engine’s own on the engine %j',
    ServerVersion => {
      expect(seccompProfileFor({ ...old, ServerVersion }, USUAL)).toBeUndefined();
    },
  );

  it('is the one that the engine’s operator has chosen', () => {
    const SecurityOptions = ['name=seccomp,profile=/etc/docker/own.json'];
    expect(seccompProfileFor({ ...old, SecurityOptions }, USUAL)).toBeUndefined();
    expect(seccompProfileFor({ ...old, SecurityOptions: [] }, USUAL)).toBeUndefined();
  });

  it('is the engine’s own on a processor that we know nothing of', () => {
    expect(seccompProfileFor({ ...old, Architecture: 's390x' }, USUAL)).toBeUndefined();
  });

  it('names each call once, and none of what io_uring, namespaces, mounts and keys are made with', () => {
    for (const Architecture of ['x86_64', 'aarch64']) {
      const allowed = allowedBy(seccompProfileFor({ ...old, Architecture }, USUAL));
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
    expect(allowedBy(seccompProfileFor(old, USUAL))).not.toContain('chroot');
    expect(allowedBy(seccompProfileFor(old, { ...USUAL, extraCaps: ['CAP_SYS_CHROOT', 'CHOWN'] }))).toContain(
      'chroot',
    );
  });

  it.each(['20.10.24', '25.0.0', '28.2.2'])(
    'refuses set-id bits where a folder of the host can be written, on the engine %s',
    ServerVersion => {
      const profile = seccompProfileFor({ ...old, ServerVersion }, ON_HOST);
      const { syscalls } = JSON.parse(profile ?? '') as Profile; // made by the function under test
      const judged = (name: string): unknown[] =>
        syscalls.filter(({ names }) => names.includes(name)).map(({ action, args }) => [action, args]);
      const without = (index: number, value: number) => [
        'SCMP_ACT_ALLOW',
        [{ index, value, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      ];
      for (const name of ['chmod', 'fchmod', 'creat', 'mkdir', 'mknod'])
        expect(judged(name)).toEqual([without(1, 0o6000)]);
      for (const name of ['fchmodat', 'fchmodat2', 'mkdirat', 'mknodat'])
        expect(judged(name)).toEqual([without(2, 0o6000)]);
      expect(judged('open')).toEqual([without(2, 0o6000), without(1, 0x400040)]);
      expect(judged('openat')).toEqual([without(3, 0o6000), without(2, 0x400040)]);
      expect(judged('openat2')).toEqual([['SCMP_ACT_ERRNO', undefined]]);
    },
  );

  it('lets no file have capabilities there, also with the right to give them', () => {
    const caps = { ...ON_HOST, extraCaps: ['SETFCAP'] };
    expect(allowedBy(seccompProfileFor(old, ON_HOST))).toContain('setxattr');
    expect(allowedBy(seccompProfileFor(old, caps))).not.toContain('setxattr');
  });

  it.each([{ ServerVersion: '19.03.15' }, { ServerVersion: '4.3.1' }, { SecurityOptions: [] }])(
    'is not ours, and so no proof, on an engine such as %j',
    other => {
      expect(refusesSetId({ ...old, ...other }, { extraCaps: [], runtime: undefined })).toBe(false);
      expect(refusesSetId(old, { extraCaps: [], runtime: undefined })).toBe(true);
      expect(refusesSetId(old, { extraCaps: [], runtime: 'runsc' })).toBe(false);
    },
  );
});
