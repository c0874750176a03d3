// The columns that columns.test.ts leaves out.
import { columnTests } from './column-tests.ts';

await columnTests(at => at % 2 === 1);
