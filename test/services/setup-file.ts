// Runs in each test file's process before its tests: gives the file a temporary folder, and its name to what it starts.
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, inject } from 'vitest';
import { fileVariable } from './leftovers.ts';
import type {} from './use-service.ts';

const file = relative(process.cwd(), expect.getState().testPath ?? 'unknown');
const tmpDir = join(inject('servicesTmpDir'), file.replaceAll('/', '+'));
mkdirSync(tmpDir, { recursive: true });
process.env['TMPDIR'] = tmpDir;
process.env[fileVariable] = file;
