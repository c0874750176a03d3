// What an engine tells about itself before anything is made on it.
import type { Inspection, Program } from '../backend.ts';
import { type Info, versionAnswer } from './answers.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engine } from './engine.ts';
import { enforcementOf } from './plan.ts';

interface Parts {
  readonly engine: Engine;
  readonly info: () => Promise<Info>;
}

/** What the engine calls itself is docker's own name to everybody else. */
const NAMES: Readonly<Record<string, string>> = { Engine: 'docker' };

export async function inspectEngine({ engine, info }: Parts, signal?: AbortSignal): Promise<Inspection> {
  const { endpoint } = await engine.connect();
  const call = { method: 'GET', path: '/version', signal } as const;
  const { Components } = versionAnswer.parse(await engine.json(call));
  const programs = Components.map(
    ({ Name, Version }): Program => ({ name: NAMES[Name] ?? Name, version: Version }),
  );
  // Whether there is a quota for disks is known only when a container was made with one.
  return { programs, limits: enforcementOf(await info(), false), reach: reachOf(endpoint) };
}

function reachOf({ address }: Endpoint): NonNullable<Inspection['reach']> {
  if ('socketPath' in address) return 'socket';
  return address.tls === undefined ? 'plain' : 'tls';
}
