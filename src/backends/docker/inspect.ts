// What an engine tells about itself before anything is made on it.
import type { Inspection, Program } from '../backend.ts';
import { type Info, versionAnswer } from './answers.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engine } from './engine.ts';
import { type DockerSettings, enforcementOf } from './plan.ts';
import { refusesSetId } from './set-id.ts';

interface Parts {
  readonly engine: Engine;
  readonly info: () => Promise<Info>;
  readonly settings: DockerSettings;
}

/** What the engine calls itself is docker's own name to everybody else. */
const NAMES: Readonly<Record<string, string>> = { Engine: 'docker' };

export async function inspectEngine(
  { engine, info, settings }: Parts,
  signal?: AbortSignal,
): Promise<Inspection> {
  const { endpoint } = await engine.connect();
  const call = { method: 'GET', path: '/version', signal } as const;
  const { Components } = versionAnswer.parse(await engine.json(call));
  const programs = Components.map(
    ({ Name, Version }): Program => ({ name: NAMES[Name] ?? Name, version: Version }),
  );
  // Whether there is a quota for disks is known only when a container was made with one.
  const told = await info();
  const extraCaps = settings.get('terminal.docker_extra_caps');
  const runtime = settings.get('terminal.docker_runtime');
  return {
    programs,
    limits: enforcementOf(told, false),
    reach: reachOf(endpoint),
    refusesSetId: refusesSetId(told, { extraCaps, runtime }),
  };
}

function reachOf({ address }: Endpoint): NonNullable<Inspection['reach']> {
  if ('socketPath' in address) return 'socket';
  return address.tls === undefined ? 'plain' : 'tls';
}
