// The gateway in its container, on the terms of docker/compose.yaml, which are read from there: what that file says is tested.
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CommandFailed } from '../../services/command.ts';
import { type DockerAddress, dockerCommand } from '../../services/docker.ts';

const folder = join(import.meta.dirname, '../../../docker');

type Service = Readonly<Record<string, unknown>>;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the docker client; what fails is an answer too. */
export async function tryDocker(docker: DockerAddress, ...words: string[]): Promise<Ended> {
  try {
    return { code: 0, stdout: await dockerCommand(docker, ...words), stderr: '' };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { code: error.exitCode, ...error.output };
  }
}

export function composeService(file: 'compose.yaml' | 'compose.engine.yaml'): Service {
  const { services } = parse(readFileSync(join(folder, file), 'utf8')) as { services: { gateway: Service } }; // our own file
  return services.gateway;
}

/** Each key of the service as flags of `docker run`; absent = it says nothing about a running container. */
const FLAGS: Readonly<Record<string, ((value: string) => readonly string[]) | 'left out'>> = {
  image: 'left out',
  build: 'left out',
  env_file: 'left out',
  // Of the network that the test has instead.
  ports: 'left out',
  restart: 'left out',
  volumes: value => ['--volume', value],
  read_only: value => [`--read-only=${value}`],
  tmpfs: value => ['--tmpfs', value],
  cap_drop: value => ['--cap-drop', value],
  security_opt: value => ['--security-opt', value],
  pids_limit: value => ['--pids-limit', value],
  mem_limit: value => ['--memory', value],
  init: value => [`--init=${value}`],
  stop_grace_period: value => ['--stop-timeout', value.replace(/s$/, '')],
};

/** `volume`: holds the state; without a name it goes away with the container. Throws for a key that is not known here. */
export function runFlags(volume = ''): string[] {
  return Object.entries(composeService('compose.yaml')).flatMap(([key, value]) => {
    const flag = FLAGS[key];
    if (flag === undefined) throw new Error(`compose.yaml says ${key}, which this test does not try`);
    if (flag === 'left out') return [];
    return [value].flat().flatMap(each => flag(String(each).replace(/^state:/, volume && `${volume}:`)));
  });
}

/** As compose.engine.yaml has it, with the socket of the engine that is tested with. */
export async function engineFlags({ socket }: DockerAddress): Promise<string[]> {
  const { volumes, environment } = composeService('compose.engine.yaml') as {
    volumes: readonly string[];
    environment: Readonly<Record<string, string>>;
  }; // our own file
  const { gid } = await stat(socket);
  return [
    ...volumes.flatMap(each => ['--volume', each.replace(/^[^:]+/, socket)]),
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...['--group-add', String(gid)],
  ];
}
