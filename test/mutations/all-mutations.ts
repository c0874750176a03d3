// Every mutation of `npm run mutate`, by the promises they break.
import { analyser } from './analyser.ts';
import { approvals } from './approvals.ts';
import { authorisation } from './authorisation.ts';
import { containment } from './containment.ts';
import { doors } from './doors.ts';
import { faults } from './faults.ts';
import { faultyStore } from './faulty-store.ts';
import { files } from './files.ts';
import { hardening } from './hardening.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';
import { migration } from './migration.ts';
import type { Mutation } from './mutation.ts';
import { oneDoor } from './one-door.ts';
import { redaction } from './redaction.ts';
import { results } from './results.ts';
import { routing } from './routing.ts';
import { sandboxes } from './sandboxes.ts';
import { waysOut } from './ways-out.ts';

export const mutations: readonly Mutation[] = [
  ...authorisation,
  ...doors,
  ...oneDoor,
  ...routing,
  ...migration,
  ...hardening,
  ...containment,
  ...sandboxes,
  ...results,
  ...redaction,
  ...waysOut,
  ...approvals,
  ...analyser,
  ...limits,
  ...files,
  ...messages,
  ...faults,
  ...faultyStore,
];
