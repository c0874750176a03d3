// Every proof of the suite, in the order of the manifest's families.
import type { Proof } from '../verifies.ts';
import { eventProofs } from './events.ts';
import { buttonProofs, fileProofs, signProofs } from './extras.ts';
import { failureProofs, lifeProofs } from './failures.ts';
import { idProofs } from './ids.ts';
import { editProofs, textProofs } from './text.ts';

export const allProofs: readonly Proof[] = [
  ...idProofs,
  ...eventProofs,
  ...textProofs,
  ...editProofs,
  ...buttonProofs,
  ...signProofs,
  ...fileProofs,
  ...failureProofs,
  ...lifeProofs,
];
