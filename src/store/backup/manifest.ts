// What stands at the beginning of every backup: what it holds, of when, with the checksum of each file.
import { z } from 'zod';

export const MANIFEST = 'manifest.json';
export const STATE = 'state.db';
export const CONFIG = 'config.yaml';
export const SECRETS = '.env';
/** What platforms keep in the home besides the store: conversations and files of the web chat. */
export const KEPT_FOLDERS = ['web'] as const;
export const WORKSPACES = 'workspaces';

const LARGEST_MANIFEST = 16 * 1024 * 1024;

/** Names become paths when a backup is restored, so only these are names. */
const NAME =
  /^(?:state\.db|config\.yaml|\.env|workspaces\/[a-z0-9-]+\.tar|web(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)+)$/;

const file = z.object({
  name: z.string().regex(NAME),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.int(),
  reason: z.enum(['asked', 'before-migration']),
  /** Of the database. */
  stateVersion: z.int(),
  files: z.array(file),
  /** What should be in it and is not. */
  left: z.array(z.object({ name: z.string(), why: z.string() })),
});

export type BackupFile = z.infer<typeof file>;
export type Manifest = z.infer<typeof manifest>;

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** Undefined when it is none of ours. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifest.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function fitsManifest(size: number): boolean {
  return size <= LARGEST_MANIFEST;
}

/** What a person wants to know of it. */
export interface Contents {
  readonly state: number;
  readonly config: boolean;
  readonly secrets: boolean;
  readonly workspaces: number;
}

export function contentsOf({ files, stateVersion }: Manifest): Contents {
  const has = (name: string): boolean => files.some(each => each.name === name);
  return {
    state: stateVersion,
    config: has(CONFIG),
    secrets: has(SECRETS),
    workspaces: files.filter(({ name }) => name.startsWith(`${WORKSPACES}/`)).length,
  };
}
