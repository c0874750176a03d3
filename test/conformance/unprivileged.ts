// A backend whose commands have to respect permissions although the suite runs as root.
import type { Backend } from '../../src/index.ts';
import { exists } from '../services/command.ts';

const SETPRIV = '/usr/bin/setpriv';

/** For root, a backend whose commands have lost the right to pass over permissions. */
export async function unprivileged(backend: Backend): Promise<Backend | string> {
  if (process.getuid?.() !== 0) return backend;
  if (!(await exists(SETPRIV)))
    return `commands run as root, and there is no ${SETPRIV} to take rights from them`;
  const flags = ['--bounding-set', '-dac_override,-dac_read_search', '--inh-caps', '-all'];
  return {
    ...backend,
    create: async (spec, options) => {
      const sandbox = await backend.create(spec, options);
      return { ...sandbox, spawn: (argv, more) => sandbox.spawn([SETPRIV, ...flags, ...argv], more) };
    },
  };
}
