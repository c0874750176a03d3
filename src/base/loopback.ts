// Whether an address leads to this machine itself, so that nobody else can reach what listens there.

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[?::1\]?|localhost)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** How the host stands in the address of a page. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
