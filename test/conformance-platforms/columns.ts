// The columns of the matrix.
import type { Column } from './column.ts';
import { column as console } from './columns/console.ts';
import { column as telegram } from './columns/telegram.ts';
import { column as web } from './columns/web.ts';

export const columns: readonly Column[] = [telegram, web, console];
