// Where a link leads: it becomes a cookie, after a password where one is set.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logins } from './logins.ts';
import { end, SAFE_HEADERS } from './say.ts';

const MOST_BYTES = 4096;

const FORM_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy':
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
};

export async function answerLogin(
  request: IncomingMessage,
  response: ServerResponse,
  { url, logins }: { readonly url: URL; readonly logins: Logins },
): Promise<void> {
  const isForm = request.method === 'POST';
  if (!isForm && request.method !== 'GET') return end(response, 405, 'A link is opened.');
  const given = isForm ? await fieldsOf(request) : url.searchParams;
  if (!given) return end(response, 413, 'That is no login.');
  const token = given.get('token') ?? '';
  const login = logins.redeem(token, isForm ? (given.get('password') ?? '') : '');
  if (login === 'no-link')
    return end(response, 403, 'This link was used or is too old. Make another: hermes gateway login');
  if (login === 'no-password') {
    response.writeHead(isForm ? 403 : 200, FORM_HEADERS).end(formFor(token, isForm ? 'wrong' : 'first'));
    return;
  }
  response.writeHead(303, { ...SAFE_HEADERS, 'set-cookie': login.cookie, location: '/' }).end();
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
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hermes: log in</title>
<main>
<h1>Hermes</h1>
${time === 'wrong' ? '<p role="alert">The password is wrong. After five wrong ones the link is worth nothing.</p>' : ''}
<form method="post" action="/login">
<input type="hidden" name="token" value="${safe}">
<p><label>Password <input type="password" name="password" autocomplete="current-password" required autofocus></label></p>
<p><button>Log in</button></p>
</form>
</main>
</html>
`;
}
