// Every column that this run asks for, or all: `BACKENDS=local,local-busybox npm run conformance`.
import { readEnvironment } from '../../src/config/environment.ts';
import { loadColumns } from './columns.ts';
import { conformanceSuite } from './suite.ts';

for (const column of await loadColumns(readEnvironment()['BACKENDS'])) conformanceSuite(column);
