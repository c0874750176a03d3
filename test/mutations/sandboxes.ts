// P4 and P5: everything made has a row and a label before it exists, and nothing that is leased is taken away.
import type { Mutation } from './mutation.ts';

const STORE = 'test/integration/store/sandboxes.test.ts';
const LEASES = { promise: 'P5', file: 'src/store/leases.ts', testFile: STORE } as const;
const STATES = { promise: 'P5', file: 'src/store/sandbox-states.ts', testFile: STORE } as const;
const LEDGER = { promise: 'P4', file: 'src/store/ledger.ts', testFile: STORE } as const;
const SWEEPER = {
  file: 'src/sessions/sweeper.ts',
  testFile: 'test/integration/sessions/life.test.ts',
  group: 'local',
} as const;
const RACE = {
  file: 'src/sessions/sweeper.ts',
  testFile: 'test/integration/sessions/sweep-race.test.ts',
} as const;
const LIFE = { file: 'src/sessions/life.ts', testFile: 'test/integration/sessions/making.test.ts' } as const;
const LEFT = 'P4: finds orphans and leftovers of a gateway that died, and leaves strangers alone';
const HELD = 'keep a sandbox from being suspended or destroyed, until the last one is released';

export const sandboxes: readonly Mutation[] = [
  {
    ...STATES,
    name: 'a leased sandbox is destroyed',
    old: "destroying: ['creating', 'ready',",
    new: "destroying: ['creating', 'ready', 'leased',",
    tests: [HELD],
  },
  {
    ...STATES,
    name: 'a leased sandbox is suspended',
    old: "suspending: ['ready', 'suspending'",
    new: "suspending: ['ready', 'leased', 'suspending'",
    tests: [HELD, 'against suspending: one of the two comes first, never both'],
  },
  {
    ...LEASES,
    name: 'one of two runs that ends frees the sandbox of both',
    old: `    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('leases').select('leases.id').whereRef('leases.sandboxId', '=', 'sandboxes.id'))),
    )
`,
    new: '',
    tests: [HELD, 'of a dead holder are dropped, and those of the living stay'],
  },
  {
    ...LEASES,
    name: 'a session leases the sandbox of another',
    promise: 'P3',
    old: "sessionId === null ? owned('sessionId', 'is', null) : owned('sessionId', '=', sessionId)",
    new: "sessionId === null ? owned('sessionId', 'is', null) : owned('id', '=', sandboxId)",
    tests: ['are not given on a sandbox that nobody can use, or that is another session’s'],
  },
  {
    ...LEASES,
    name: 'a lease that somebody still holds is dropped when it expires',
    old: 'rows.filter(lease => !isAlive(lease))',
    new: 'rows',
    tests: ['are taken again by who renews what somebody has dropped'],
  },
  {
    ...LEASES,
    name: 'leases are dropped before their time',
    old: "expired.where('expiresAt', '<=', clock.now())",
    new: 'expired',
    tests: ['end when nobody renews them'],
  },
  {
    ...LEASES,
    name: 'a lease that was dropped by mistake does not come back',
    old: "  await db.insertInto('leases').values(lease).execute();\n",
    new: '',
    tests: ['are taken again by who renews what somebody has dropped'],
  },
  {
    ...LEASES,
    name: 'a sandbox that was just used counts as idle since long ago',
    old: "set({ state: 'ready', stateSince: now, idleSince: now })",
    new: "set({ state: 'ready', stateSince: now })",
    tests: [HELD],
  },
  {
    ...LEDGER,
    name: 'a sandbox that was used since it was seen is moved on',
    promise: 'P5',
    old: "  if (seen) query = query.where('state', '=', seen.state).where('stateSince', '=', seen.stateSince);\n",
    new: '',
    tests: ['moves one only if it is as it was seen'],
  },
  {
    ...LEDGER,
    name: 'two sessions get the same sandbox of the warm pool',
    promise: 'P3',
    old: "    .where('id', '=', id)\n    .where('sessionId', 'is', null)\n    .where('state', '=', 'ready')",
    new: "    .where('id', '=', id)\n    .where('state', '=', 'ready')",
    tests: ['lets one of many have a sandbox of the warm pool, and only when it is ready'],
  },
  {
    ...LEDGER,
    name: 'a session is given the sandbox of another as a replacement',
    promise: 'P3',
    old: "    .where('sessionId', 'is', null)\n    .where('state', 'in', ['ready', 'leased'])",
    new: "    .where('state', 'in', ['ready', 'leased'])",
    tests: ['gives a session nothing that is another session’s'],
  },
  {
    ...LEDGER,
    name: 'the ledger forgets sandboxes that still exist',
    old: "        .where('state', '=', 'gone')\n",
    new: '',
    tests: ['never forgets what may still exist, however old it is'],
  },
  {
    promise: 'P4',
    name: 'containers do not say whose they are',
    file: 'src/backends/docker/container-body.ts',
    old: '      [LABEL.installation]: spec.installation,\n',
    new: '',
    testFile: 'src/backends/docker/container-body.test.ts',
    tests: ['is found by its labels'],
  },
  {
    ...SWEEPER,
    name: 'sandboxes that no row knows stay for ever',
    promise: 'P4',
    old: 'for (const ref of refs) if (!known.has(ref.id)) await this.#removeOrphan(ref, report);',
    new: '',
    tests: [LEFT],
  },
  {
    ...SWEEPER,
    name: 'a sandbox whose making was cut off stays for ever',
    promise: 'P4',
    old: "if (row.state === 'creating') await this.#destroy(row, report);",
    new: "if (row.state === 'creating') return;",
    tests: [LEFT],
  },
  {
    ...SWEEPER,
    name: 'a sandbox in which something still runs is taken away',
    promise: 'P5',
    old: '    if (await this.#sandboxes.background.isBusy(row)) return;\n',
    new: '',
    tests: ['keeps one alive in which something still runs'],
  },
  {
    ...SWEEPER,
    name: 'idle sandboxes are never taken away',
    promise: 'P4',
    old: 'if ((row.idleSince ?? now) + lifetimeSeconds.value * 1000 > now) return;',
    new: 'return;',
    tests: ['retires what is idle for too long, and not before'],
  },
  {
    ...SWEEPER,
    name: 'sandboxes are taken away before they have been idle for long',
    promise: 'P5',
    old: 'if ((row.idleSince ?? now) + lifetimeSeconds.value * 1000 > now) return;',
    new: '',
    tests: ['retires what is idle for too long, and not before'],
  },
  {
    ...RACE,
    name: 'a sandbox that is just being made is swept away as an orphan',
    promise: 'P4',
    old: '    const known = new Set(rows.map(({ id }) => id));',
    new: '    const known = new Set(before.map(({ id }) => id));',
    tests: ['P4: leaves alone what is being made while the engine shows it already'],
  },
  {
    ...RACE,
    name: 'a sandbox that was made during a sweep is taken for lost',
    promise: 'P5',
    old: 'there.has(row.id) || isTooNew || elsewhere',
    new: 'there.has(row.id) || elsewhere',
    tests: ['P5: leaves alone what was made after the engine had answered'],
  },
  {
    ...LIFE,
    name: 'a sandbox that could not be made stays in the ledger as being made',
    promise: 'P4',
    old: "      await store.ledger.move(id, 'failed', { problem });\n      await this.remove(id);\n",
    new: '',
    tests: ['P4: has nothing left in the ledger that could not be made, and says why'],
  },
  {
    ...LIFE,
    name: 'a sandbox that could not be removed is forgotten',
    promise: 'P4',
    old: '      await store.ledger.postpone(id, { problem, retryAt: clock.now() + delay });\n',
    new: "      await store.ledger.move(id, 'gone');\n",
    tests: ['P4: keeps what could not be removed, and tries again later'],
  },
  {
    ...LIFE,
    name: 'a sandbox that was used since it was seen is removed',
    promise: 'P5',
    old: "store.ledger.move(id, 'destroying', step, seen)",
    new: "store.ledger.move(id, 'destroying', step)",
    tests: ['P5: removes nothing that was used since it was seen'],
  },
  {
    ...LIFE,
    name: 'a sandbox that was used since it was seen is suspended',
    promise: 'P5',
    old: "store.ledger.move(id, 'suspending', step, entry)",
    new: "store.ledger.move(id, 'suspending', step)",
    tests: ['P5: suspends nothing that was used since it was seen'],
  },
];
