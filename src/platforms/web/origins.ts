// Which pages may talk to the web chat: a browser says which page asks, and under which name it asked.
import { hostInUrl, isLoopback } from '../../base/loopback.ts';

export interface Origins {
  /** Also for what is only read: a name of a stranger's that leads here is refused. */
  isHost(host: string | undefined): boolean;
  /** For what changes something. Absent is refused: every browser sends one. */
  isOrigin(origin: string | undefined): boolean;
  /** A name under which a browser speaks TLS, with what stands before this server. */
  hasTls(host: string | undefined): boolean;
}

/** The address that it listens on, loopback by any name, and what the operator has added. */
export function originsOf(host: string, port: number, further: readonly string[]): Origins {
  const names = isLoopback(host) ? ['127.0.0.1', '[::1]', 'localhost', hostInUrl(host)] : [hostInUrl(host)];
  const origins = new Set([...names.map(name => `http://${name}:${port}`), ...further]);
  const hosts = new Set([...origins].map(origin => new URL(origin).host));
  return {
    isHost: given => given !== undefined && hosts.has(given.toLowerCase()),
    hasTls: given => given !== undefined && origins.has(`https://${given.toLowerCase()}`),
    isOrigin: given => given !== undefined && origins.has(given.toLowerCase()),
  };
}
