// Every proof of the suite, in the order of the manifest's families.
import type { Proof } from '../verifies.ts';
import { jobProofs, leftBehindProofs, moreJobProofs, strayProofs } from './background.ts';
import { cancelProofs } from './cancel.ts';
import { concurrencyProofs } from './concurrency.ts';
import { crashProofs } from './crash.ts';
import { cwdProofs } from './cwd.ts';
import { envProofs } from './env.ts';
import { fileListProofs, fileNameProofs, fileProofs } from './files.ts';
import { oddScriptProofs, scriptProofs, stdinProofs } from './input.ts';
import { killProofs, killRestProofs } from './kill.ts';
import { attachProofs, destroyProofs, lifeProofs } from './life.ts';
import { outputBytesProofs, outputProofs } from './output.ts';
import { fallbackProofs, keepingProofs, restoringProofs } from './persistent.ts';
import { exitProofs, signalProofs } from './results.ts';
import { spawnEdgeProofs, spawnProofs } from './spawn.ts';
import { disguiseProofs, endingProofs, fatalProofs, oddityProofs, survivalProofs } from './survival.ts';

export const allProofs: readonly Proof[] = [
  ...spawnProofs,
  ...spawnEdgeProofs,
  ...exitProofs,
  ...signalProofs,
  ...killProofs,
  ...killRestProofs,
  ...cancelProofs,
  ...crashProofs,
  ...outputProofs,
  ...outputBytesProofs,
  ...stdinProofs,
  ...scriptProofs,
  ...oddScriptProofs,
  ...leftBehindProofs,
  ...strayProofs,
  ...jobProofs,
  ...moreJobProofs,
  ...concurrencyProofs,
  ...cwdProofs,
  ...keepingProofs,
  ...restoringProofs,
  ...endingProofs,
  ...fatalProofs,
  ...survivalProofs,
  ...disguiseProofs,
  ...oddityProofs,
  ...fallbackProofs,
  ...fileProofs,
  ...fileNameProofs,
  ...fileListProofs,
  ...envProofs,
  ...lifeProofs,
  ...destroyProofs,
  ...attachProofs,
];
