// What can be reached over the network from inside?

import { readFile } from 'node:fs/promises';
import { newId } from '../../base/ids.ts';
import { AF_INET, AF_INET6, internetAddress, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM } from '../addresses.ts';
import { filesOf, unlessHidden, waitFor } from '../host-processes.ts';
import { type Call, runCalls } from '../kernel-calls.ts';
import type { Listener } from '../listeners.ts';
import { judgeHeld } from '../looking.ts';
import { byIsolation, byLan, byNetwork } from '../policy.ts';
import { contained, exposed, type Finding, type Ground, type Probe, unknown } from '../probe.ts';

const CONNECT_MS = 1_000;
const ARRIVAL_MS = 300;
const HTTP_PORT = 80;
const ICMP = 1;

/** A question for the address of `canary.invalid`. */
const QUESTION = Buffer.from(
  '1a2b0100000100000000000006' +
    Buffer.from('canary').toString('hex') +
    '07' +
    Buffer.from('invalid').toString('hex') +
    '0000010001',
  'hex',
);

export function connectCalls(address: Uint8Array, family: number): Call[] {
  return [
    ['socket', family, SOCK_STREAM, 0],
    ['connect', { result: 0 }, { bytes: address }, address.length],
  ];
}

function sendCalls(address: Uint8Array, data: Uint8Array): Call[] {
  return [
    ['socket', AF_INET, SOCK_DGRAM, 0],
    ['sendto', { result: 0 }, { bytes: data }, data.length, 0, { bytes: address }, address.length],
  ];
}

/** Judged by the listener: the one on this machine counts who comes. */
export async function judgeArrival(
  { place, clock }: Ground,
  listener: Listener | undefined,
  calls: (listener: Listener) => readonly Call[],
): Promise<Finding> {
  if (listener === undefined) return unknown('this machine has no such address to listen at');
  const before = listener.seen();
  const answer = await runCalls(place, calls(listener), { marker: newId(), timeoutMs: CONNECT_MS });
  if (answer.impossible !== undefined) return unknown(answer.impossible);
  const came = await waitFor(clock, ARRIVAL_MS, () => (listener.seen() > before ? true : undefined));
  return came
    ? exposed('the listener of this machine was reached')
    : contained(`nothing arrived: ${answer.error ?? 'sent into the void'}`);
}

const tcp = (family: number) => (listener: Listener) =>
  connectCalls(internetAddress(listener.at, listener.port), family);

const udp = (data: Uint8Array) => (listener: Listener) =>
  sendCalls(internetAddress(listener.at, listener.port), data);

/** Nobody of ours listens there: that a connection stands is the evidence. */
async function metadata(ground: Ground): Promise<Finding> {
  const address = internetAddress(ground.host.addresses.metadata, HTTP_PORT);
  const { impossible, error } = await runCalls(ground.place, connectCalls(address, AF_INET), {
    marker: newId(),
    timeoutMs: CONNECT_MS,
  });
  if (impossible !== undefined) return unknown(impossible);
  return error === undefined ? exposed('a connection was made') : contained(`no connection: ${error}`);
}

async function rawSocket(ground: Ground): Promise<Finding> {
  return judgeHeld(ground, {
    calls: [['socket', AF_INET, SOCK_RAW, ICMP]],
    look: async pid => {
      const table = (await unlessHidden(readFile(`/proc/${pid}/net/raw`, 'utf8'))) ?? '';
      const sockets = (await filesOf(pid)).map(file => /^socket:\[(\d+)\]$/.exec(file.path)?.[1]);
      return sockets.some(inode => inode !== undefined && table.includes(` ${inode} `))
        ? 'a raw socket is open in it'
        : undefined;
    },
    harmless: 'its socket is not a raw one',
  });
}

export const networkProbes: readonly Probe[] = [
  {
    id: 'network.loopback',
    family: 'network',
    title: 'connect to a loopback port of the host',
    expected: byIsolation,
    attempt: ground => judgeArrival(ground, ground.host.tcp, tcp(AF_INET)),
  },
  {
    id: 'network.ipv6',
    family: 'network',
    title: 'the same over IPv6',
    expected: byIsolation,
    attempt: ground => judgeArrival(ground, ground.host.tcp6, tcp(AF_INET6)),
  },
  {
    id: 'network.udp',
    family: 'network',
    title: 'send a datagram to the host’s loopback',
    expected: byIsolation,
    attempt: ground => judgeArrival(ground, ground.host.udp, udp(Buffer.from('canary'))),
  },
  {
    id: 'network.lan',
    family: 'network',
    title: 'connect to the host’s own network address',
    expected: byLan,
    attempt: ground => judgeArrival(ground, ground.host.lan, tcp(AF_INET)),
  },
  {
    id: 'network.dns',
    family: 'network',
    title: 'ask a name server on the network',
    expected: byLan,
    attempt: ground => judgeArrival(ground, ground.host.resolver, udp(QUESTION)),
  },
  {
    id: 'network.metadata',
    family: 'network',
    title: 'connect to the cloud’s metadata address',
    expected: byNetwork,
    attempt: metadata,
  },
  {
    id: 'network.raw',
    family: 'network',
    title: 'open a raw socket',
    expected: byIsolation,
    attempt: rawSocket,
  },
];
