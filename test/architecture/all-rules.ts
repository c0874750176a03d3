// The rules, in the order in which they are reported, each with the promise that it keeps.
import type { Project, Violation } from './project.ts';
import { avoidedWords } from './rules/avoided-words.ts';
import { clock } from './rules/clock.ts';
import { cycles } from './rules/cycles.ts';
import { driverNames } from './rules/driver-names.ts';
import { exportStyle } from './rules/export-style.ts';
import { fileHeader } from './rules/file-header.ts';
import { fileSize } from './rules/file-size.ts';
import { functionSize } from './rules/function-size.ts';
import { importEffects } from './rules/import-effects.ts';
import { layers } from './rules/layers.ts';
import { moduleState } from './rules/module-state.ts';
import { noAny } from './rules/no-any.ts';
import { oneDoor } from './rules/one-door.ts';
import { processEnv } from './rules/process-env.ts';
import { processExit } from './rules/process-exit.ts';
import { silentCatch } from './rules/silent-catch.ts';
import { steadyTests } from './rules/steady-tests.ts';
import { syntax } from './rules/syntax.ts';

export interface Rule {
  readonly name: string;
  readonly promise: string;
  readonly check: (project: Project) => Violation[];
}

export const allRules: readonly Rule[] = [
  { name: 'syntax', promise: 'every file parses', check: syntax },
  { name: 'layers', promise: 'imports go downwards only', check: layers },
  { name: 'cycles', promise: 'no file imports itself by a detour', check: cycles },
  { name: 'file-size', promise: 'files stay short', check: fileSize },
  { name: 'function-size', promise: 'functions stay short', check: functionSize },
  { name: 'driver-names', promise: 'nothing depends on the name of a driver', check: driverNames },
  { name: 'process-env', promise: 'the environment is read in config/ only', check: processEnv },
  { name: 'process-exit', promise: 'the program ends in cli/main.ts only', check: processExit },
  { name: 'no-any', promise: 'types are not switched off', check: noAny },
  { name: 'import-effects', promise: 'no import has side effects', check: importEffects },
  { name: 'module-state', promise: 'no module has mutable state', check: moduleState },
  { name: 'one-door', promise: 'nothing happens in a sandbox past the door (P17)', check: oneDoor },
  { name: 'clock', promise: 'time comes from base/clock', check: clock },
  { name: 'silent-catch', promise: 'no error is swallowed', check: silentCatch },
  { name: 'file-header', promise: 'a file opens with what it is for', check: fileHeader },
  { name: 'export-style', promise: 'exports are named; no enums, no namespaces', check: exportStyle },
  { name: 'steady-tests', promise: 'no test passes by luck', check: steadyTests },
  { name: 'avoided-words', promise: 'names say what a thing is', check: avoidedWords },
];
