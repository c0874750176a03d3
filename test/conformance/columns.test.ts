// Every column that this run asks for, or all: `BACKENDS=local,local-busybox npm run conformance`. Every other one stands in
// other-columns.test.ts, so that two run at a time.
import { columnTests } from './column-tests.ts';

await columnTests(at => at % 2 === 0);
