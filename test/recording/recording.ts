// What a live check leaves behind: the frames of a service, sanitised, and which events our driver made of them.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformEvent } from '../../src/platforms/platform.ts';
import type { RecordedFrame } from './recording-proxy.ts';
import { Sanitiser } from './sanitise.ts';

export interface Recording {
  readonly platform: string;
  readonly frames: readonly RecordedFrame[];
  /** Of the events that came of them, in order. */
  readonly events: readonly PlatformEvent['kind'][];
}

const FOLDER = join(import.meta.dirname, '../fixtures/recorded');

export interface Recorded {
  readonly frames: readonly RecordedFrame[];
  readonly events: readonly PlatformEvent[];
  /** What must not be in the recording: tokens and what else was set up. */
  readonly secrets: readonly string[];
}

export function recordingOf(platform: string, { frames, events, secrets }: Recorded): Recording {
  const sanitiser = new Sanitiser(secrets);
  return {
    platform,
    frames: frames
      .filter(({ body }) => body !== undefined)
      .map(({ name, body }) => ({ name: sanitiser.path(name), body: sanitiser.value(body) })),
    events: events.map(({ kind }) => kind),
  };
}

export async function keep(recording: Recording): Promise<void> {
  const folder = join(FOLDER, recording.platform);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'live.json'), `${JSON.stringify(recording, undefined, 1)}\n`);
}

/** All that were kept of this platform. */
export async function recordingsOf(platform: string): Promise<readonly Recording[]> {
  const folder = join(FOLDER, platform);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const texts = names.map(name => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts)).map(text => JSON.parse(text) as Recording); // `keep` wrote it
}
