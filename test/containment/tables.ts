// The exact tables that CI fixes: what each backend contains, and what it does not.
import { allProbes } from '../../src/containment/all-probes.ts';
import type { Verdict } from '../../src/containment/probe.ts';

export interface ExpectedTable {
  /** Every probe that is not listed is contained. */
  readonly notContained: readonly string[];
  readonly notEnforceable: readonly string[];
}

/** Of the local backend, which contains nothing else. */
export const localContains: readonly string[] = [
  'processes.environment',
  'kernel.tiocsti',
  'life.timeout',
  'life.cancel',
  // Through its control group, where there is one.
  'life.destroy',
  'protocol.imitated',
];

/** By backend and network. */
export const expectedTables = {
  docker: {
    none: { notContained: [], notEnforceable: ['limits.disk', 'limits.inodes'] },
    open: {
      notContained: ['network.lan', 'network.dns', 'network.metadata'],
      notEnforceable: ['limits.disk', 'limits.inodes'],
    },
  },
  bubblewrap: {
    none: { notContained: [], notEnforceable: ['limits.inodes'] },
    open: {
      notContained: ['network.lan', 'network.dns', 'network.metadata'],
      notEnforceable: ['limits.inodes'],
    },
  },
} as const;

const judgedThere = ['neighbours.files', 'neighbours.processes', 'neighbours.sockets', 'protocol.foreign'];

/** Another machine: only what other sandboxes there see can be judged. */
export const sshTable: ExpectedTable = {
  notContained: judgedThere,
  notEnforceable: allProbes
    .map(({ id }) => id)
    .filter(id => !judgedThere.includes(id) && id !== 'protocol.imitated'),
};

/** Without a network, where the host gives the user of Apptainer no control groups. */
export const singularityTable: ExpectedTable = {
  notContained: [],
  notEnforceable: ['limits.memory', 'limits.cpus', 'limits.disk', 'limits.inodes'],
};

export function verdictIn(table: ExpectedTable, id: string): Verdict {
  if (table.notContained.includes(id)) return 'not contained';
  return table.notEnforceable.includes(id) ? 'not enforceable here' : 'contained';
}
