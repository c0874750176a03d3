// Every platform; `-t telegram` takes one.
import { columns } from './columns.ts';
import { platformSuite } from './suite.ts';

for (const column of columns) platformSuite(column);
