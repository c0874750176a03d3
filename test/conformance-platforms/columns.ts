// The columns of the matrix.
import type { Column } from './column.ts';
import { column as telegram } from './columns/telegram.ts';

export const columns: readonly Column[] = [telegram];
