// Calls of the gateway over HTTP. What is refused is thrown with its code and what to do.

class CallFailed extends Error {
  /** @param {string} code @param {string} message @param {ErrorOptions} [options] */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }

  toString() {
    return this.message;
  }
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    throw new CallFailed('UNAVAILABLE', 'The gateway does not answer. Does it run?', { cause: error });
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw new CallFailed(
    said.error?.code ?? String(response.status),
    said.error?.message ?? `It failed (${response.status}).`,
  );
}

/** @param {string} path */
export async function getJson(path) {
  return (await ask(path)).json();
}

/** Whoever is logged out, or may do other things than before, gets the page that is theirs. @param {any} me */
export async function checkLogin({ standing }) {
  try {
    if ((await getJson('/api/me')).standing !== standing) location.reload();
  } catch (error) {
    // A gateway that is not there says nothing about anybody.
    if (error instanceof CallFailed && error.code === 'DENIED_PERSON') location.reload();
  }
}

/** Also where a page came without TLS, and the browser makes no UUIDs. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * A command of the CLI by its words.
 * @param {string} command @param {Record<string, string>} [args] @param {Record<string, boolean | number | string>} [flags]
 * @param {AbortSignal} [signal]
 */
export async function run(command, args = {}, flags = {}, signal) {
  const body = JSON.stringify({ command, args, flags });
  const headers = { 'content-type': 'application/json' };
  return (await ask('/api/run', { method: 'POST', headers, body, ...(signal ? { signal } : {}) })).json();
}

/** @param {string} path @param {Blob} file */
export async function upload(path, file) {
  return (
    await ask(path, { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream' } })
  ).json();
}

/** Has the browser save it; nothing is ever shown as a page. @param {string} name @param {string} text @param {string} type */
export function saveText(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  saveLink(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {string} url @param {string} name */
export function saveLink(url, name) {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
