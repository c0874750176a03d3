// What went wrong with the engine, in words that an operator can act on.
import type { ErrorCode } from '../../base/error-codes.ts';
import { HermesError, systemErrorCode } from '../../base/errors.ts';
import type { SandboxRef } from '../backend.ts';
import { describeAddress, type Endpoint } from './endpoint.ts';
import { EngineFault, EngineUnreachable } from './engine.ts';

export type Phase = 'pull' | 'create' | 'start' | 'ready';

export interface Circumstances {
  readonly phase: Phase;
  readonly name: string;
  readonly image: string;
  /** Hermes itself runs in a container, or the engine on another machine. */
  readonly isElsewhere: boolean;
}

interface Cause {
  /** Beyond its status the engine tells the cause in words only; what no pattern knows is passed on as it is. */
  readonly pattern: RegExp;
  readonly says: (it: Circumstances) => string;
}

const CAUSES: readonly Cause[] = [
  {
    pattern: /no space left on device|disk quota exceeded/i,
    says: () => 'The engine’s disk is full. Make room, for example with `docker system prune`.',
  },
  {
    pattern: /bind source path does not exist/i,
    says: ({ isElsewhere }) =>
      isElsewhere
        ? 'The engine’s host has no such folder to mount. Sources are paths on the engine’s host, not in the container or on the machine in which Hermes runs: mount the folder there under the same path, or name its path on that host.'
        : 'The folder to mount does not exist for the engine. Check the path.',
  },
  {
    pattern:
      /exec format error|no matching manifest|image operating system|does not match the (?:specified|detected|expected) (?:host )?platform/i,
    says: ({ image }) =>
      `The image ${image} is for another processor architecture. Choose one that exists for the engine’s, or install emulation (binfmt).`,
  },
  {
    pattern: /"sleep".*(?:not found|no such file)|sleep: executable file not found/is,
    says: ({ image }) =>
      `The image ${image} has no \`sleep\`. Use an image with bash and the usual POSIX tools.`,
  },
  {
    pattern: /container-init binary not found/i,
    says: () => 'Podman lacks an init for containers. Install its package `catatonit`.',
  },
  {
    pattern: /unknown or invalid runtime|unknown runtime|invalid runtime/i,
    says: () =>
      'The engine knows no such runtime. `docker info` lists them; mend terminal.docker_runtime or install it.',
  },
  {
    pattern: /network \S+ not found/i,
    says: () =>
      'The engine has no such network. `docker network ls` lists them; mend terminal.docker_network, or make it with `docker network create`.',
  },
  {
    pattern: /unable to find user|no matching entries in passwd/i,
    says: ({ image }) =>
      `The image ${image} has no such user. Mend terminal.docker_user; a number always works.`,
  },
  {
    pattern: /invalid capability|unknown capability/i,
    says: () => 'A name in terminal.docker_extra_caps is no capability that the engine knows.',
  },
];

/** The error of a failed phase. Errors of ours pass through. */
export function notCreated(error: unknown, it: Circumstances): unknown {
  if (error instanceof EngineUnreachable) return unreachable(error);
  if (!(error instanceof EngineFault)) return error;
  const said = CAUSES.find(({ pattern }) => pattern.test(error.message))?.says(it) ?? byStatus(error, it);
  const message = `The container ${it.name} could not be made (phase ${it.phase}). ${said} The engine says: ${error.message}`;
  return new HermesError('SANDBOX_NOT_CREATED', message, {
    details: { phase: it.phase, image: it.image, status: error.status },
    cause: error,
  });
}

function byStatus(error: EngineFault, { phase, image, name }: Circumstances): string {
  if (phase === 'pull') return pullAdvice(error, image);
  if (phase === 'create' && error.status === 409) {
    return `Another container is called ${name}; it was left alone. Try again, or remove it if it is nobody’s.`;
  }
  return 'Look at the engine’s log (`journalctl -u docker`) for more.';
}

function pullAdvice({ status, message }: EngineFault, image: string): string {
  if (status === 404 || /not found|does not exist|access denied|unauthorized/i.test(message)) {
    return `There is no image ${image}, or it is not public. Mend terminal.docker_image; for a private one run \`docker login\` and \`docker pull ${image}\` once.`;
  }
  return `The image ${image} is not here, and its registry could not be reached. Check the engine’s network, or load the image with \`docker load\`.`;
}

export function unreachable(error: EngineUnreachable): HermesError {
  const { message, fix } = adviceFor(error);
  return new HermesError('UNAVAILABLE_BACKEND', `${message} ${fix}`, {
    details: { endpoint: describeAddress(error.endpoint), origin: error.endpoint.origin },
    cause: error,
  });
}

/** What stands between us and the engine, and what to do. */
export function adviceFor({ endpoint, cause, message }: EngineUnreachable): { message: string; fix: string } {
  const where = placeOf(endpoint);
  const isTls = 'host' in endpoint.address && endpoint.address.tls !== undefined;
  if (cause instanceof EngineFault && /HTTPS/.test(cause.message)) {
    return {
      message: `The Docker engine at ${where} talks TLS only.`,
      fix: 'Set DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH to the folder with ca.pem, cert.pem and key.pem.',
    };
  }
  switch (systemErrorCode(cause)) {
    case 'EACCES':
    case 'EPERM':
      return {
        message: `This user may not use the Docker engine at ${where}.`,
        fix: 'Add the user to its group (`sudo usermod -aG docker $USER`, then log in again; in a container, give it the group of the socket: `--group-add`), or install rootless Docker.',
      };
    case 'ENOENT':
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return {
        message: `No Docker engine answers at ${where}.`,
        fix: 'Start it (`sudo systemctl start docker`, or Docker Desktop), or set DOCKER_HOST to where it listens. In a container it has to be given: a socket that is mounted, or an address.',
      };
    default:
      if (isTls) return tlsAdvice(where, message);
      return {
        message: `The Docker engine at ${where} does not answer: ${message}.`,
        fix: 'Check that it runs, and restart it if it hangs.',
      };
  }
}

/** Certificates are the usual reason, and the system names a dozen ways in which they do not fit. */
function tlsAdvice(where: string, message: string): { message: string; fix: string } {
  return {
    message: `No secure connection to the Docker engine at ${where}: ${message}.`,
    fix: 'Check that ca.pem, cert.pem and key.pem in DOCKER_CERT_PATH (else ~/.docker) are those that the engine was set up with and have not expired, and that it talks TLS there.',
  };
}

function placeOf(endpoint: Endpoint): string {
  const address = describeAddress(endpoint);
  return endpoint.origin === address ? address : `${address} (from ${endpoint.origin})`;
}

export function gone(ref: SandboxRef, why = 'does not exist any more', cause?: unknown): HermesError {
  return failure('SANDBOX_GONE', `The container ${ref.name} ${why}.`, ref, cause);
}

export function failure(code: ErrorCode, message: string, ref: SandboxRef, cause?: unknown): HermesError {
  return new HermesError(code, message, { details: { ref }, cause });
}
