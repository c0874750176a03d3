import { describe, expect, it } from 'vitest';
import { complaintIn, loadingEnvironment, programEnvironment } from './program.ts';

const environment = {
  ...{ HOME: '/home/olga', USER: 'olga', PATH: '/bin', OPENAI_API_KEY: 'secret', APPTAINER_BIND: '/etc' },
  ...{ APPTAINERENV_X: 'secret', APPTAINER_DOCKER_PASSWORD: 'of a registry', https_proxy: 'http://proxy' },
};

describe('the environment of Apptainer', () => {
  it('has nothing of the gateway’s but who it is', () => {
    expect(programEnvironment(environment, { path: '/bin', configDir: '/s' })).toEqual({
      ...{ HOME: '/home/olga', USER: 'olga', PATH: '/bin' },
      ...{ APPTAINER_CONFIGDIR: '/s', SINGULARITY_CONFIGDIR: '/s' },
    });
  });

  it('has what a registry wants only where something is loaded', () => {
    expect(loadingEnvironment(environment, '/bin', '/t')).toEqual({
      ...{ HOME: '/home/olga', USER: 'olga', PATH: '/bin', https_proxy: 'http://proxy' },
      ...{ APPTAINER_DOCKER_PASSWORD: 'of a registry' },
      ...{ APPTAINER_TMPDIR: '/t', SINGULARITY_TMPDIR: '/t', TMPDIR: '/t' },
    });
  });
});

describe('what Apptainer complains of', () => {
  it('is its first error, or the last that it said', () => {
    expect(complaintIn('INFO:    starting\nFATAL:   first\n\nFATAL:   while first\n')).toBe('first');
    expect(complaintIn('odd words\n')).toBe('odd words');
    expect(complaintIn('')).toBe('nothing');
  });
});
