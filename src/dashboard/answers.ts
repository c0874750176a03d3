// How the dashboard answers over HTTP: pages with a strict policy, data that nobody takes for a page.
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { boundedBody } from '../base/bounded-body.ts';
import type { Clock } from '../base/clock.ts';
import { type ErrorCode, errorCodes } from '../base/error-codes.ts';
import type { Asset } from './assets.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const DATA = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
};

const MOST_BODY = 256 * 1024;

export interface ShownAsset {
  readonly asset: Asset;
  readonly status: number;
  /** Its address changes with its content. */
  readonly isKept: boolean;
}

export function showAsset(
  request: IncomingMessage,
  response: ServerResponse,
  { asset, status, isKept }: ShownAsset,
): void {
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isZipped ? asset.zipped : asset.bytes;
  response
    .writeHead(status, {
      ...COMMON,
      'content-security-policy': POLICY,
      'content-type': asset.type,
      'content-length': body.length,
      'cache-control': isKept ? 'public, max-age=31536000, immutable' : 'no-store',
      vary: 'accept-encoding',
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    })
    .end(request.method === 'HEAD' ? undefined : body);
}

export function showData(response: ServerResponse, status: number, data: unknown): void {
  if (status >= 400) response.shouldKeepAlive = false;
  response.writeHead(status, { ...DATA, 'content-type': 'application/json' }).end(JSON.stringify(data));
}

/** As bytes that are saved and never shown; as they are taken, so that a slow reader holds a piece of them only. */
export async function showFile(response: ServerResponse, path: string): Promise<void> {
  const file = await open(path);
  const { size } = await file.stat();
  const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
  response.writeHead(200, { ...DATA, ...headers, 'content-length': size });
  // Whoever leaves before the end has not failed us.
  await pipeline(file.createReadStream(), response).catch(error => {
    if (!response.destroyed) throw error;
  });
}

const STATUS_OF_FAMILY: Readonly<Record<string, number>> = {
  USAGE: 400,
  CONFIG: 400,
  DENIED: 403,
  AUTH: 403,
  BUG: 500,
};

export function statusOf(code: ErrorCode): number {
  const [family = ''] = code.split('_');
  return Object.hasOwn(errorCodes, code) ? (STATUS_OF_FAMILY[family] ?? 409) : 500;
}

/** Throws USAGE_BAD_ARGUMENTS when there is more of it than any request of the page has, and when it stalls. */
export async function readBody(request: IncomingMessage, clock: Clock): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of boundedBody(request, { clock, mostBytes: MOST_BODY })) pieces.push(piece);
  return Buffer.concat(pieces);
}
