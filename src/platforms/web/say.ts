// Short answers of the web server, and the headers of everything that is no page.
import type { ServerResponse } from 'node:http';

/** For an answer that is no page and must never be taken for one. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-store',
};

export function end(response: ServerResponse, status: number, text: string): void {
  // A body that nobody reads any more must not keep the connection.
  if (status >= 400) response.shouldKeepAlive = false;
  response
    .writeHead(status, { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
    .end(`${text}\n`);
}
