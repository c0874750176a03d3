// Where a link leads: it becomes a cookie, after a password where one is set.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logins } from './logins.ts';
import type { Origins } from './origins.ts';
import { end, SAFE_HEADERS } from './say.ts';

const MOST_BYTES = 4096;

/** In the page itself: whoever is not in yet loads nothing. */
const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:14vh auto 0;padding:0 1rem}
input,button{font:inherit;padding:.45rem .7rem;border:1px solid GrayText;border-radius:8px}
input{width:100%;box-sizing:border-box;display:block}
pre{padding:.8rem 1rem;border:1px solid GrayText;border-radius:8px;white-space:pre-wrap}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const PAGE_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'content-type': 'text/html; charset=utf-8',
};

const IN = '<p>You are logged in. <a href="/">To the page</a></p>';
const NO_LINK = `<p>This link was used or is too old. Make another on the machine of the gateway, and open it in this browser:</p>
<pre>hermes gateway login</pre>`;

export async function answerLogin(
  request: IncomingMessage,
  response: ServerResponse,
  { url, logins, origins }: { readonly url: URL; readonly logins: Logins; readonly origins: Origins },
): Promise<void> {
  const isForm = request.method === 'POST';
  if (!isForm && request.method !== 'GET') return end(response, 405, 'A link is opened.');
  const given = isForm ? await fieldsOf(request) : url.searchParams;
  if (!given) return end(response, 413, 'That is no login.');
  const token = given.get('token') ?? '';
  const login = logins.redeem(token, isForm ? (given.get('password') ?? '') : '');
  if (login === 'no-link' && logins.personIn(request.headers.cookie) !== undefined)
    return enter(request, response, {});
  if (login === 'no-link') return show(response, 403, pageOf(NO_LINK));
  if (login === 'no-password')
    return show(response, isForm ? 403 : 200, pageOf(formFor(token, isForm ? 'wrong' : 'first')));
  const tls = origins.hasTls(request.headers.host) ? '; Secure' : '';
  enter(request, response, { 'set-cookie': `${login.cookie}${tls}` });
}

/** A browser that was sent by another site brings the cookie along only when a page of ours sends it on. */
function enter(
  { headers }: IncomingMessage,
  response: ServerResponse,
  given: Readonly<Record<string, string>>,
): void {
  if (headers['sec-fetch-site'] === 'cross-site')
    show(response, 200, pageOf(IN, '<meta http-equiv="refresh" content="0;url=/">'), given);
  else response.writeHead(303, { ...SAFE_HEADERS, ...given, location: '/' }).end();
}

function show(
  response: ServerResponse,
  status: number,
  page: string,
  given: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...PAGE_HEADERS, ...given }).end(page);
}

/** Undefined when it is longer than any form of ours. */
async function fieldsOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  let text = '';
  for await (const piece of request) {
    text += piece;
    if (text.length > MOST_BYTES) return undefined;
  }
  return new URLSearchParams(text);
}

function formFor(token: string, time: 'first' | 'wrong'): string {
  // A token of ours has letters, digits, `-` and `_`; anything else of it is left out.
  const safe = token.replace(/[^\w-]/g, '');
  return `${time === 'wrong' ? '<p role="alert">The password is wrong. After five wrong ones the link is worth nothing.</p>' : ''}
<form method="post" action="/login">
<input type="hidden" name="token" value="${safe}">
<p><label>Password <input type="password" name="password" autocomplete="current-password" required autofocus></label></p>
<p><button>Log in</button></p>
</form>`;
}

function pageOf(body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${head}
<title>Hermes: log in</title>
<style>${STYLE}</style>
<main>
<h1>Hermes</h1>
${body}
</main>
</html>
`;
}
