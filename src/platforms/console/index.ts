// The console platform: a chat over two streams, for tests and pipes.
import type { SettingsReader } from '../../base/setting.ts';
import type { Platform, PlatformCapabilities, PlatformContext, PlatformDriver } from '../platform.ts';
import { connectConsole, type Streams } from './connection.ts';
import type { section } from './settings.ts';

export type ConsoleMode = 'text' | 'json';

const MIB = 1024 * 1024;

/** Lines of text can carry messages and nothing else. */
const TEXT: PlatformCapabilities = {
  maxText: 32_768,
  edits: false,
  editEveryMs: 0,
  buttons: false,
  maxButtonData: 0,
  typing: false,
  groups: false,
  threads: false,
  maxFileIn: 0,
  maxFileOut: 0,
  isPublic: false,
};

const JSON_LINES: PlatformCapabilities = {
  ...TEXT,
  edits: true,
  editEveryMs: 100,
  buttons: true,
  maxButtonData: 256,
  typing: true,
  groups: true,
  threads: true,
  // They stand in the event itself, and so in the store.
  maxFileIn: MIB,
  maxFileOut: 50 * MIB,
};

export const createPlatform: PlatformDriver<
  SettingsReader<Pick<(typeof section)['settings'], 'console.mode'>>
>['createPlatform'] = (settings, context) => {
  const mode = settings.get('console.mode');
  if (mode === 'off') return undefined;
  return createConsole({ mode, streams: () => ({ input: process.stdin, output: process.stdout }) }, context);
};

/** A chat over streams of the caller's; they are opened by `connect`, and the input is closed with the connection. */
export function createConsole(
  { mode, streams }: { readonly mode: ConsoleMode; readonly streams: () => Streams },
  context: PlatformContext,
): Platform {
  const capabilities = mode === 'json' ? JSON_LINES : TEXT;
  return {
    name: 'console',
    capabilities,
    check: async () => 'over standard input and output',
    connect: async options => connectConsole({ mode, capabilities, ...streams() }, context, options),
  };
}
