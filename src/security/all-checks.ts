// The catalogue of the audit. docs/security/audit.md is generated from it.
import type { Check } from './check.ts';
import { doorChecks } from './checks/doors.ts';
import { operationChecks } from './checks/operation.ts';
import { peopleChecks } from './checks/people.ts';
import { sandboxChecks } from './checks/sandboxes.ts';

export const allChecks: readonly Check[] = [
  ...sandboxChecks,
  ...peopleChecks,
  ...doorChecks,
  ...operationChecks,
];
