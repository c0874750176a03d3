// The ssh backend: commands run on another machine, over the ssh program of this one. It is remote execution, not
// containment: a sandbox there has all the rights of the account.

import type { Abortable } from '../../base/abortable.ts';
import { HermesError } from '../../base/errors.ts';
import type { SettingsReader } from '../../base/setting.ts';
import type { Backend, DriverContext, Sandbox, SandboxRef, SandboxSpec } from '../backend.ts';
import type { section as terminal } from '../settings.ts';
import type { Target } from './arguments.ts';
import { checkMachine } from './check.ts';
import { facts } from './facts.ts';
import { failureError, noHost } from './failure.ts';
import { isOwnRef, labelText, parseLabel, refOf } from './label.ts';
import { Link, type Report } from './link.ts';
import { destroyRemote, gone, sshSandbox } from './sandbox.ts';
import type { section as ssh } from './settings.ts';

type SshSettings = SettingsReader<(typeof terminal)['settings'] & (typeof ssh)['settings']>;

/** As sshd has it; only another one is passed on, so that the port of an alias counts. */
const USUAL_PORT = 22;

export function createBackend(settings: SshSettings, context: DriverContext): Backend {
  const target = targetOf(settings);
  const made = target && new Link(target, context);
  const link = (): Link => {
    if (made) return made;
    throw failureError(noHost);
  };
  return {
    name: 'ssh',
    capabilities: facts.capabilities,
    check: async (options = {}) => (made ? checkMachine(made, options) : [noHost]),
    async create(spec, options = {}) {
      const ref = acceptedRef(spec);
      const cwd = spec.cwd ?? settings.get('terminal.cwd') ?? '';
      return createThere({ link: link(), ref, cwd, env: spec.env, createdMs: context.clock.now() }, options);
    },
    async attach(ref, options = {}) {
      if (!isOwnRef(ref)) throw gone(ref, link().address);
      const report = await link().errand({ script: 'attach', args: [ref.name] }, options);
      const [folder, workdir] = report.fields;
      if (report.words !== 'found' || folder === undefined || workdir === undefined) {
        throw gone(ref, link().address);
      }
      return sshSandbox({ link: link(), ref, env: options.env ?? {}, folder, workdir });
    },
    async *list(installation, options = {}) {
      const { fields } = await link().errand({ script: 'list', args: [] }, options);
      for (const text of fields) {
        const ref = parseLabel(text);
        if (ref?.installation === installation) yield ref;
      }
    },
    close: async () => made?.close(),
  };
}

function targetOf(settings: SshSettings): Target | undefined {
  const host = settings.get('terminal.ssh_host');
  const user = settings.get('terminal.ssh_user');
  const port = settings.get('terminal.ssh_port');
  const keyFile = settings.get('terminal.ssh_key');
  const configFile = settings.get('terminal.ssh_config');
  if (host === undefined) return undefined;
  return {
    host,
    ...(user === undefined ? {} : { user }),
    ...(port === USUAL_PORT ? {} : { port }),
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(configFile === undefined ? {} : { configFile }),
  };
}

/** What this backend cannot do it refuses, rather than to do less than was asked. */
function acceptedRef(spec: SandboxSpec): SandboxRef {
  const ref = refOf(spec);
  const reason =
    spec.image !== undefined
      ? `an image (${spec.image}) was given, and this backend has none. Leave it out, or use a container backend`
      : spec.mounts.length > 0
        ? 'folders were to be mounted, which another machine cannot do. Upload the files instead'
        : spec.network === 'none'
          ? 'its network cannot be closed. Use a container backend where that matters'
          : ref === undefined
            ? `its id ${spec.id} cannot stand in a path`
            : undefined;
  if (ref === undefined || reason !== undefined) throw notCreated(spec.id, reason ?? '');
  return ref;
}

interface Wanted {
  readonly link: Link;
  readonly ref: SandboxRef;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly createdMs: number;
}

async function createThere(wanted: Wanted, options: Abortable): Promise<Sandbox> {
  const { link, ref, cwd, env, createdMs } = wanted;
  const args = [ref.name, labelText(ref, createdMs), cwd];
  const report = await made(link.errand({ script: 'create', args }, options), wanted, options);
  const [folder, workdir] = report.fields;
  if (report.words === 'made' && folder !== undefined && workdir !== undefined) {
    return sshSandbox({ link, ref, env, folder, workdir });
  }
  throw notCreated(ref.name, reasonOf(report, wanted));
}

/** If it was cancelled, it may have been made all the same. */
async function made(errand: Promise<Report>, { link, ref }: Wanted, { signal }: Abortable): Promise<Report> {
  try {
    return await errand;
  } catch (error) {
    if (signal?.aborted && link.isConnected) await destroyRemote({ link, ref });
    throw error;
  }
}

function reasonOf({ words, text }: Report, { link, cwd }: Wanted): string {
  if (words === 'nocwd')
    return `the folder ${cwd || 'of the account'} does not exist on ${link.address}, or cannot be entered. Make it, or change terminal.cwd`;
  if (words === 'refused')
    return `${text} cannot be written to on ${link.address}. Make room there, or make it writable for the account`;
  return `there is one of that name on ${link.address} already`;
}

function notCreated(name: string, reason: string): HermesError {
  return new HermesError('SANDBOX_NOT_CREATED', `The sandbox ${name} was not made: ${reason}.`, {
    details: { name },
  });
}
