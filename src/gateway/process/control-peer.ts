// Who is at the other end of the control socket. Node does not tell the process of a peer, so the peer says which one it
// is and proves it by its name, which no other process can change. What the kernel says about that process then shows
// whether it is in a sandbox that got hold of the socket.
import { readFile, writeFile } from 'node:fs/promises';
import { HermesError } from '../../base/errors.ts';
import { randomCode } from '../../base/ids.ts';

/** As much as the kernel keeps of a name. */
const NAME_LENGTH = 15;

/** One connection. Where there is no /proc there are no sandboxes that could reach it, and nothing is asked. */
export class ControlPeer {
  #claim: { readonly pid: number; readonly name: string } | undefined;
  #isOutside: boolean;

  constructor(isLinux = process.platform === 'linux') {
    this.#isOutside = !isLinux;
  }

  /** The name that the process must have when it greets again; null when it need not. */
  async greet(pid: number): Promise<{ readonly name: string | null }> {
    this.#isOutside ||= this.#claim?.pid === pid && (await isOutside(this.#claim));
    if (this.#isOutside) return { name: null };
    this.#claim = { pid, name: randomCode(NAME_LENGTH) };
    return { name: this.#claim.name };
  }

  /** Throws DENIED_ACTION unless the peer has proved that it runs outside every sandbox. */
  check(): void {
    if (this.#isOutside) return;
    throw new HermesError(
      'DENIED_ACTION',
      'The control socket serves only programs that run where the gateway runs, and none in a sandbox. Run `hermes` on this machine, or in the container of the gateway if it has one.',
    );
  }
}

async function isOutside({ pid, name }: { readonly pid: number; readonly name: string }): Promise<boolean> {
  const [own, peer] = await Promise.all([placeOf('self'), placeOf(pid)]);
  return peer !== undefined && peer.place === own?.place && peer.name === name;
}

/** The namespaces of a process as everybody may see them: how deep its process ids are nested, and who its users are. */
async function placeOf(process: number | 'self'): Promise<{ name: string; place: string } | undefined> {
  try {
    const [status, users] = await Promise.all([
      readFile(`/proc/${process}/status`, 'utf8'),
      readFile(`/proc/${process}/uid_map`, 'utf8'),
    ]);
    const depth = /^NSpid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/).length;
    // The kernel shows the name in the first line, with what is no letter escaped.
    const name = /^Name:\t(.*)$/m.exec(status)?.[1] ?? '';
    return { name, place: `${depth} ${users}` };
  } catch {
    return undefined;
  }
}

const MOST_GREETINGS = 100;

/**
 * Greets until the gateway wants no other name. A process that asks twice at once has one name at a time, so the one or the
 * other greets again.
 */
export async function greetByName(hello: () => Promise<string | null>): Promise<void> {
  let name = await hello();
  if (name === null) return;
  for (let greetings = 0; name !== null && greetings < MOST_GREETINGS; greetings++) {
    await writeFile('/proc/self/comm', name);
    name = await hello();
  }
  await writeFile('/proc/self/comm', 'hermes');
}
