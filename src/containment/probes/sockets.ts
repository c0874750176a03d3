// Can unix sockets of this machine be reached: any, and those that would hand it over?
import { stat } from 'node:fs/promises';
import { AF_UNIX, unixAddress } from '../addresses.ts';
import { unlessHidden } from '../host-processes.ts';
import type { Listener } from '../listeners.ts';
import { judgeHeld } from '../looking.ts';
import { byIsolation, byMounts } from '../policy.ts';
import { contained, type Finding, type Ground, type Probe } from '../probe.ts';
import { connectCalls, judgeArrival } from './network.ts';

/** Whoever can talk to one of these is root on this machine. */
const CONTROL_SOCKETS = [
  '/var/run/docker.sock',
  '/run/docker.sock',
  '/run/podman/podman.sock',
  '/run/containerd/containerd.sock',
  '/run/crio/crio.sock',
  '/run/systemd/private',
  '/run/dbus/system_bus_socket',
];

const unix = ({ at }: Listener) => connectCalls(unixAddress(at), AF_UNIX);

/** The very socket of this machine, and not another of that name. */
async function controlSockets(ground: Ground): Promise<Finding> {
  let finding = contained('none of them is inside');
  const { stdout } = await ground.place.exec(
    `for f in ${CONTROL_SOCKETS.join(' ')}; do [[ -S $f ]] && echo "$f"; done`,
  );
  for (const path of stdout.split('\n').filter(Boolean)) {
    const own = await unlessHidden(stat(path));
    finding = await judgeHeld(ground, {
      calls: connectCalls(unixAddress(path), AF_UNIX),
      look: async pid => {
        const theirs = await unlessHidden(stat(`/proc/${pid}/root${path}`));
        const isSame = own !== undefined && theirs?.ino === own.ino && theirs.dev === own.dev;
        return isSame ? `it is connected to ${path} of this machine` : undefined;
      },
      harmless: `${path} inside is not this machine’s`,
    });
    if (finding.verdict !== 'contained') break;
  }
  return finding;
}

export const socketProbes: readonly Probe[] = [
  {
    id: 'sockets.abstract',
    family: 'sockets',
    title: 'connect to an abstract unix socket of the host',
    expected: byIsolation,
    attempt: ground => judgeArrival(ground, ground.host.abstractSocket, unix),
  },
  {
    id: 'sockets.path',
    family: 'sockets',
    title: 'connect to a unix socket file of the host',
    expected: byMounts,
    attempt: ground => judgeArrival(ground, ground.host.pathSocket, unix),
  },
  {
    id: 'sockets.control',
    family: 'sockets',
    title: 'reach the socket of Docker, Podman or containerd',
    expected: byIsolation,
    attempt: controlSockets,
  },
];
