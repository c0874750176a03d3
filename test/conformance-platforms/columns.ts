// The columns of the matrix.
import type { Column } from './column.ts';
import { column as console } from './columns/console.ts';
import { column as discord } from './columns/discord.ts';
import { column as signal } from './columns/signal.ts';
import { column as slack } from './columns/slack.ts';
import { column as telegram } from './columns/telegram.ts';
import { column as web } from './columns/web.ts';
import { column as whatsapp } from './columns/whatsapp.ts';

export const columns: readonly Column[] = [telegram, discord, slack, whatsapp, signal, web, console];
