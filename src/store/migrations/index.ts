// Every step from an empty database to the newest one, in order. New ones are added at the end.
import type { Migration } from '../migrate.ts';
import { sandboxes } from './0001-sandboxes.ts';
import { messages } from './0002-messages.ts';
import { approvals } from './0003-approvals.ts';
import { holders } from './0004-holders.ts';
import { history } from './0005-history.ts';
import { pairings } from './0006-pairings.ts';
import { liveTime } from './0007-live-time.ts';
import { begunCalls } from './0008-begun-calls.ts';
import { cutOff } from './0009-cut-off.ts';
import { stateGeneration } from './0010-state-generation.ts';
import { processReports } from './0011-process-reports.ts';
import { enforcement } from './0012-enforcement.ts';

export const migrations: readonly Migration[] = [
  sandboxes,
  messages,
  approvals,
  holders,
  history,
  pairings,
  liveTime,
  begunCalls,
  cutOff,
  stateGeneration,
  processReports,
  enforcement,
];
