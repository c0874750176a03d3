// Makes sure that the engine has an image: asks for it, and pulls it with progress if need be.
import type { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { FoundImage } from '../backend.ts';
import { imageAnswer, pullLine } from './answers.ts';
import { type Engine, EngineFault, isFault } from './engine.ts';

export type Image = z.infer<typeof imageAnswer>;

export interface PullOptions {
  readonly clock: Clock;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const PROGRESS_MS = 2_000;

/** Undefined when the engine does not have it. */
export async function findImage(
  engine: Engine,
  image: string,
  signal?: AbortSignal,
): Promise<Image | undefined> {
  try {
    return imageAnswer.parse(
      await engine.json({ method: 'GET', path: `/images/${encodeURI(image)}/json`, signal }),
    );
  } catch (error) {
    if (isFault(error, 404)) return undefined;
    throw error;
  }
}

/** Asks the registry where the engine does not have it, and pulls nothing. */
export async function whereImage(engine: Engine, image: string, signal?: AbortSignal): Promise<FoundImage> {
  if (await findImage(engine, image, signal)) return { place: 'here' };
  try {
    await engine.json({ method: 'GET', path: `/distribution/${encodeURI(withTag(image))}/json`, signal });
    return { place: 'registry' };
  } catch (error) {
    if (error instanceof EngineFault) return { place: 'nowhere', reason: error.message };
    throw error;
  }
}

/** Throws EngineFault with the registry's own words when it cannot be had. */
export async function pullImage(engine: Engine, image: string, options: PullOptions): Promise<void> {
  const { clock, progress, signal, timeoutMs } = options;
  progress(`Pulling the image ${image}.`);
  const query = new URLSearchParams({ fromImage: withTag(image) });
  const call = { method: 'POST', path: `/images/create?${query}`, signal, timeoutMs } as const;
  const layers = new Map<string, { current: number; total: number }>();
  let saidAt = clock.monotonic();
  for await (const line of linesOf(await engine.stream(call))) {
    const { id, status, error, progressDetail } = pullLine.parse(JSON.parse(line));
    if (error !== undefined) throw new EngineFault(500, error);
    if (id === undefined) continue;
    const known = layers.get(id);
    // The engine tells the size of small or fast layers only once, at their beginning.
    if (known && status === 'Download complete') layers.set(id, { ...known, current: known.total });
    if (status !== 'Downloading') continue;
    layers.set(id, { current: progressDetail?.current ?? 0, total: progressDetail?.total ?? 0 });
    if (clock.monotonic() - saidAt < PROGRESS_MS) continue;
    saidAt = clock.monotonic();
    progress(`Pulling the image ${image}: ${describeLayers([...layers.values()])}.`);
  }
}

function describeLayers(layers: readonly { current: number; total: number }[]): string {
  const sum = (key: 'current' | 'total'): number => layers.reduce((total, layer) => total + layer[key], 0);
  return `${Math.round(sum('current') / 1e6)} of ${Math.round(sum('total') / 1e6)} MB so far`;
}

/** Without a tag the engine would take every one that there is. */
export function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return name.includes(':') || name.includes('@') ? image : `${image}:latest`;
}

async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncIterable<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter(line => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}
