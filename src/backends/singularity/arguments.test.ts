import { describe, expect, it } from 'vitest';
import { execArguments, startArguments } from './arguments.ts';
import type { Label } from './folder.ts';

const label: Label = {
  ref: { backend: 'singularity', id: 'a', name: 'hermes-a', installation: 'test' },
  ...{ uid: 1000, gid: 1000, limits: {}, network: 'none', mounts: [], workdir: '/workspace' },
  ...{ image: '/images/x.sif', persistent: true },
};

function start(changes: Partial<Label> = {}): string {
  const options = { folder: '/s/hermes-a', tried: [], isFiltered: true };
  return startArguments({ ...options, label: { ...label, ...changes } }).join(' ');
}

describe('the arguments of an instance', () => {
  it('contain everything, bind its own folders, and end with image and name', () => {
    expect(start()).toBe(
      [
        'instance start --containall --no-home --cleanenv --no-privs --no-mount sys,bind-paths --hostname hermes-a',
        '--net --network none --security seccomp:/s/hermes-a/seccomp.json --overlay /s/hermes-a/overlay',
        '--workdir /s/hermes-a/temporary --bind /dev/full:/dev/full',
        '--home /s/hermes-a/home:/home/hermes --bind /s/hermes-a/home:/home/hermes',
        '--bind /s/hermes-a/channel:/run/hermes --bind /s/hermes-a/workspace:/workspace /images/x.sif hermes-a',
      ].join(' '),
    );
  });

  it('keep changes to the image in memory where they are not to last', () => {
    expect(start({ persistent: false })).toContain(' --writable-tmpfs ');
    expect(start({ persistent: false })).not.toContain('--overlay');
  });

  it('take the network of this machine only where it is named', () => {
    expect(start({ network: 'bridge' })).toContain('--net --network bridge');
    expect(start({ network: 'host' })).not.toContain('--net');
  });

  it('put a mount in the place of the workspace', () => {
    const args = start({ mounts: [{ source: '/data', target: '/workspace', readOnly: false }] });
    expect(args).toContain('--bind /data:/workspace:rw');
    expect(args).not.toContain('/s/hermes-a/workspace');
  });
});

describe('the arguments of a process', () => {
  it('carry the words of the command as they are, and no variable', () => {
    const options = { name: 'hermes-a', workdir: '/w', script: 'S', nonce: 'N', processes: undefined };
    expect(execArguments(options, ['echo', "it's", ''])).toEqual([
      ...['exec', '--cleanenv', '--pwd', '/', 'instance://hermes-a'],
      ...['sh', '-c', 'S', 'hermes-enter', 'N', '/w', '/home/hermes', '-', 'echo', "it's", ''],
    ]);
  });
});
