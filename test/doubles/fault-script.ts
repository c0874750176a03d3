// Which calls of a double fail: scripted by name and count, or at random from a seed. The faults of the transport, which all
// services have in common, are also answered here.
import type { ServerResponse } from 'node:http';

export type TransportFault =
  /** The connection ends before anything was done. */
  | 'drop'
  /** The connection ends after it was done: the caller cannot know. */
  | 'drop-after'
  /** No answer, until the caller gives up. */
  | 'hang'
  /** A page of HTML with status 502, as proxies send it. */
  | 'bad-gateway'
  /** A page of HTML with status 200. */
  | 'page'
  /** To the same path of another origin. */
  | { readonly redirectTo: string };

export interface RandomFaults<Fault> {
  /** Which calls may fail; `*` = any. */
  readonly names: readonly string[];
  /** One of them is drawn. */
  readonly faults: readonly Fault[];
  /** How many of the calls fail, from 0 to 1. */
  readonly share: number;
  /** Numbers from 0 up to 1, of a printed seed. */
  readonly random: () => number;
}

export class FaultScript<Fault> {
  readonly #isNamed: (wanted: string, name: string) => boolean;
  #scripted: { names: readonly string[]; fault: Fault; left: number }[] = [];
  #random: RandomFaults<Fault>[] = [];

  constructor(isNamed: (wanted: string, name: string) => boolean = (wanted, name) => wanted === name) {
    this.#isNamed = (wanted, name) => wanted === '*' || isNamed(wanted, name);
  }

  add(names: readonly string[], fault: Fault, times: number): void {
    this.#scripted.push({ names, fault, left: times });
  }

  addRandom(faults: RandomFaults<Fault>): void {
    this.#random.push(faults);
  }

  /** The fault of this call; a scripted one is used up by it. */
  take(name: string): Fault | undefined {
    const has = (names: readonly string[]): boolean => names.some(each => this.#isNamed(each, name));
    const found = this.#scripted.find(({ names }) => has(names));
    if (found) {
      found.left -= 1;
      this.#scripted = this.#scripted.filter(({ left }) => left > 0);
      return found.fault;
    }
    const drawn = this.#random.find(({ names, share, random }) => has(names) && random() < share);
    return drawn?.faults[Math.floor(drawn.random() * drawn.faults.length)];
  }

  clear(): void {
    this.#scripted = [];
    this.#random = [];
  }
}

/** Answers with a fault of the transport; `false` = the call goes on. */
export function answerWithFault<F>(
  response: ServerResponse,
  fault: F,
  path: string,
): fault is F & Exclude<TransportFault, 'drop-after'> {
  if (fault === 'hang') return true;
  if (fault === 'drop') response.destroy();
  else if (fault === 'bad-gateway') response.writeHead(502).end('<html>Bad Gateway</html>');
  else if (fault === 'page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>');
  else if (isRedirect(fault)) response.writeHead(302, { location: fault.redirectTo + path }).end();
  else return false;
  return true;
}

function isRedirect(fault: unknown): fault is { readonly redirectTo: string } {
  return typeof fault === 'object' && fault !== null && 'redirectTo' in fault;
}
