// Every mutation of `npm run mutate`, by the promises they break.
import { approvals } from './approvals.ts';
import { authorisation } from './authorisation.ts';
import { doors } from './doors.ts';
import { files } from './files.ts';
import { hardening } from './hardening.ts';
import type { Mutation } from './mutation.ts';
import { routing } from './routing.ts';

export const mutations: readonly Mutation[] = [
  ...authorisation,
  ...doors,
  ...routing,
  ...hardening,
  ...approvals,
  ...files,
];
