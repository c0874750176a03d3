import { describe, expect, it } from 'vitest';
import { additionsOf } from './additions.ts';
import type { DockerSettings } from './plan.ts';

const sources = {
  cwd: '/home/me/project',
  userHome: '/home/me',
  variable: (name: string) => ({ TOKEN: 'value', EMPTY: '' })[name],
};

/** Settings as they stand, with these on top. */
function settingsOf(given: Readonly<Record<string, unknown>>): DockerSettings {
  const values: Readonly<Record<string, unknown>> = {
    'terminal.docker_volumes': [],
    'terminal.docker_mount_cwd_to_workspace': false,
    'terminal.docker_forward_env': [],
    ...given,
  };
  return { get: key => values[key] } as DockerSettings; // only these three are asked for
}

describe('what settings add to a sandbox', () => {
  it('is nothing by default', () => {
    expect(additionsOf(settingsOf({}), sources)).toEqual({ mounts: [], env: {}, unset: [] });
  });

  it('is the folder of the CLI and the volumes', () => {
    const settings = settingsOf({
      'terminal.docker_mount_cwd_to_workspace': true,
      'terminal.docker_volumes': ['~/data:/data:ro'],
    });
    expect(additionsOf(settings, sources).mounts).toEqual([
      { source: '/home/me/project', target: '/workspace', readOnly: false },
      { source: '/home/me/data', target: '/data', readOnly: true },
    ]);
  });

  it('is the value of each name that has one, also an empty one', () => {
    const names = ['TOKEN', 'EMPTY', 'NOWHERE', 'TOKEN'];
    expect(additionsOf(settingsOf({ 'terminal.docker_forward_env': names }), sources)).toMatchObject({
      env: { TOKEN: 'value', EMPTY: '' },
      unset: ['NOWHERE'],
    });
  });

  it.each([
    [{ 'terminal.docker_volumes': ['/a:/x', '/b:/x/'] }, /at \/x: \/a:\/x and \/b:\/x\//],
    [
      { 'terminal.docker_volumes': ['/a:/workspace'], 'terminal.docker_mount_cwd_to_workspace': true },
      /at \/workspace: terminal.docker_mount_cwd_to_workspace and \/a/,
    ],
    [{ 'terminal.docker_volumes': ['data:/x'] }, /data:\/x is not accepted/],
  ])('refuses %j', (given, message) => {
    expect(() => additionsOf(settingsOf(given), sources)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
    );
  });
});
