// A request that carries a file: its bytes as base64 in the middle of JSON, made as it is sent, so that a large file is in
// memory once.

/** Stands for the bytes until they are there; no name contains it. */
const PLACE = '@@bytes@@';
/** Divisible by three: each slice is base64 by itself. */
const SLICE = 3 * 256 * 1024;

/** What apps show instead of offering it to be saved. */
const SHOWN: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
};

/** `requestFor` makes the JSON around the data URI that it is given. */
export async function* fileRequest(
  requestFor: (attachment: readonly string[]) => string,
  name: string,
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const type = SHOWN[extension] ?? 'application/octet-stream';
  const json = requestFor([`data:${type};filename=${wireName(name)};base64,${PLACE}`]);
  // What people wrote stands before the attachment, and could contain the same letters.
  const at = json.lastIndexOf(PLACE);
  yield Buffer.from(json.slice(0, at));
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < source.length; from += SLICE) {
    yield Buffer.from(source.toString('base64', from, Math.min(source.length, from + SLICE)), 'latin1');
  }
  yield Buffer.from(json.slice(at + PLACE.length));
}

/** The daemon reads the name up to the next semicolon, as it is. */
function wireName(name: string): string {
  return name.replace(/[\p{Cc};,/\\]+/gu, '_').replaceAll(PLACE, '_') || 'file';
}
