// Programs that run a command elsewhere: over ssh, in a container, in a cluster, in another terminal, as another user.
import { flagValues, operands, type SimpleCommand } from '../command.ts';
import type { Inner } from './inner.ts';
import { startOf } from './prefixes.ts';

const SSH_VALUED = [...'BbcDEeFIiJLlmOopQRSWw'];
/** Flags of `docker run` and `exec` that stand alone; every other long one without `=` takes the next word. */
const ALONE =
  /^(?:-[diqtPD]+|-[itd]+|--(?:rm|privileged|detach|interactive|tty|init|read-only|publish-all|no-healthcheck|oom-kill-disable|quiet|sig-proxy|disable-content-trust|no-deps|build|service-ports|use-aliases|no-TTY|remove-orphans|systemd))$/;

export function elsewhere(command: SimpleCommand): Inner[] {
  const reader = READERS[command.program];
  return Object.hasOwn(READERS, command.program) && reader ? reader(command) : [];
}

function overSsh(command: SimpleCommand): Inner[] {
  const proxy = flagValues(command, 'o').flatMap(
    option => /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(option)?.[1] ?? [],
  );
  const words = operandsUntilCommand(command.args);
  const script: Inner[] =
    words.length > 0
      ? [{ kind: 'script', text: words.join(' '), via: command.program }]
      : [{ kind: 'input', as: 'shell', via: command.program }];
  return [...script, ...proxy.map(text => ({ kind: 'script', text, via: 'ssh ProxyCommand' }) as const)];
}

/** Flags of ssh may follow the host as well; the command begins at the first word after it that is none. */
function operandsUntilCommand(args: readonly string[]): readonly string[] {
  let hasHost = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('-') && arg !== '--') {
      if (
        SSH_VALUED.some(
          letter =>
            arg === `-${letter}` || (arg.length > 2 && /^-[A-Za-z]+$/.test(arg) && arg.endsWith(letter)),
        )
      )
        at++;
    } else if (hasHost) return args.slice(arg === '--' ? at + 1 : at);
    else if (arg !== '--') hasHost = true;
  }
  return [];
}

function inContainer({ program, args }: SimpleCommand): Inner[] {
  const start = args.findIndex(arg => arg === 'exec' || arg === 'run');
  if (start === -1) return [];
  const entry = flagValues({ args: args.slice(start) }, 'entrypoint')[0];
  for (let at = start + 1; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg.startsWith('-')) {
      if (!ALONE.test(arg) && !arg.includes('=') && !/^-[a-z][^a-z]/.test(arg)) at++;
      continue;
    }
    const argv = entry === undefined ? args.slice(at + 1) : [entry, ...args.slice(at + 1)];
    return argv.length > 0 ? [{ kind: 'argv', argv, via: `${program} ${args[start]}` }] : [];
  }
  return [];
}

/** `ip netns exec name cmd`, `ip vrf exec name cmd`. */
function inNamespace({ args }: SimpleCommand): Inner[] {
  const at = args.findIndex(
    (arg, index) => arg === 'exec' && /^(?:netns|net|vrf)$/.test(args[index - 1] ?? ''),
  );
  const argv = at === -1 ? [] : args.slice(at + 2);
  return argv.length > 0 ? [{ kind: 'argv', argv, via: 'ip netns exec' }] : [];
}

/** `kubectl exec pod -- cmd`, `lxc exec box -- cmd`. */
function afterDashes({ program, args }: SimpleCommand): Inner[] {
  const verb = args.findIndex(arg => ['exec', 'run', 'debug', 'ssh', 'shell'].includes(arg));
  const dashes = args.indexOf('--');
  if (verb === -1) return [];
  const argv =
    dashes > verb ? args.slice(dashes + 1) : args.slice(verb + 2).filter(arg => !/^-[it]+$/.test(arg));
  return argv.length > 0 && !argv[0]?.startsWith('-')
    ? [{ kind: 'argv', argv, via: `${program} ${args[verb]}` }]
    : [];
}

/** A flag whose value is a script: `su -c`, `script -c`, `vagrant ssh -c`, `gcloud compute ssh --command`. */
function scriptFlag(...names: string[]): (command: SimpleCommand) => Inner[] {
  return command =>
    flagValues(command, ...names).map(text => ({ kind: 'script', text, via: command.program }));
}

function asUser(command: SimpleCommand): Inner[] {
  const scripts = scriptFlag('c', 'command', 'session-command')(command);
  if (scripts.length > 0) return scripts;
  const dashes = command.args.indexOf('--');
  if (dashes !== -1) return [{ kind: 'argv', argv: command.args.slice(dashes + 1), via: command.program }];
  return command.program === 'su' ? [{ kind: 'input', as: 'shell', via: 'su' }] : runuserArgv(command);
}

function runuserArgv(command: SimpleCommand): Inner[] {
  const rest = operands(command, ['u', 'g', 'G', 's', 'user']);
  return rest.length > 0 ? [{ kind: 'argv', argv: rest, via: command.program }] : [];
}

const TMUX_STARTERS = new Set([
  'new',
  'new-session',
  'neww',
  'new-window',
  'split-window',
  'splitw',
  'run-shell',
  'run',
  'respawn-pane',
  'if-shell',
  'send-keys',
  'send',
]);

function inTerminal({ program, args }: SimpleCommand): Inner[] {
  if (program === 'screen') {
    const stuffed = args.indexOf('stuff');
    if (stuffed !== -1) return [{ kind: 'script', text: args.slice(stuffed + 1).join(' '), via: 'screen' }];
    const argv = args.slice(startOf(args, { valued: [...'SceshptT'] }));
    return argv.length > 0 ? [{ kind: 'argv', argv, via: 'screen' }] : [];
  }
  const at = args.findIndex(arg => TMUX_STARTERS.has(arg));
  if (at === -1) return [];
  const rest = operands({ args: args.slice(at + 1) }, [
    's',
    't',
    'n',
    'c',
    'x',
    'y',
    'e',
    'F',
    'l',
    'p',
  ]).filter(word => !/^(?:Enter|C-m)$/.test(word));
  return rest.map(text => ({ kind: 'script', text, via: 'tmux' }));
}

function byAnsible(command: SimpleCommand): Inner[] {
  const [module = 'command'] = flagValues(command, 'm', 'module-name');
  const absent = flagValues(command, 'a', 'args').flatMap(text =>
    /state=absent/.test(text) ? (/(?:path|dest|name)=(\S+)/.exec(text)?.[1] ?? []) : [],
  );
  if (/(?:^|\.)file$/.test(module) && absent.length > 0)
    return [{ kind: 'argv', argv: ['rm', '-rf', ...absent], via: 'ansible' }];
  if (!/(?:^|\.)(?:shell|command|raw|script)$/.test(module)) return [];
  return flagValues(command, 'a', 'args').map(text => ({
    kind: 'script',
    text: text.replace(/^cmd=/, ''),
    via: 'ansible',
  }));
}

function joinedOperands(command: SimpleCommand, valued: readonly string[]): Inner[] {
  const words = operandsFrom(command.args, valued);
  return words.length > 0 ? [{ kind: 'script', text: words.join(' '), via: command.program }] : [];
}

const container = inContainer;
const READERS: Readonly<Record<string, (command: SimpleCommand) => Inner[]>> = {
  ssh: overSsh,
  autossh: overSsh,
  mosh: overSsh,
  sshpass: ({ args }) => {
    const rest = operandsFrom(args, ['p', 'f', 'd', 'P']);
    return rest.length > 0 ? [{ kind: 'argv', argv: rest, via: 'sshpass' }] : [];
  },
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': container,
  'podman-compose': container,
  crictl: container,
  // The container's name stands between the image and the command.
  ctr: command => {
    const inner = inContainer(command);
    const isRun = command.args.includes('run');
    return inner
      .flatMap(each => (each.kind === 'argv' && isRun ? [{ ...each, argv: each.argv.slice(1) }] : [each]))
      .filter(each => each.kind !== 'argv' || each.argv.length > 0);
  },
  ip: inNamespace,
  kubectl: afterDashes,
  oc: afterDashes,
  k3s: ({ args }) => (args[0] === 'kubectl' ? [{ kind: 'argv', argv: args, via: 'k3s' }] : []),
  minikube: afterDashes,
  lxc: afterDashes,
  incus: afterDashes,
  multipass: afterDashes,
  flyctl: scriptFlag('C', 'command'),
  fly: scriptFlag('C', 'command'),
  vagrant: scriptFlag('c', 'command'),
  gcloud: scriptFlag('command'),
  su: asUser,
  runuser: asUser,
  script: scriptFlag('c', 'command'),
  tmux: inTerminal,
  screen: inTerminal,
  ansible: byAnsible,
  machinectl: afterDashes,
  pdsh: command => joinedOperands(command, ['w', 'x', 'f', 'l', 'u', 't']),
  pssh: command => joinedOperands(command, ['h', 'H', 'l', 'p', 'o', 'e', 't', 'O', 'x']),
  'parallel-ssh': command => joinedOperands(command, ['h', 'H', 'l', 'p', 'o', 'e', 't', 'O', 'x']),
  clush: command => joinedOperands(command, ['w', 'g', 'x', 'f']),
  salt: ({ args }) =>
    args.includes('cmd.run')
      ? [{ kind: 'script', text: args.slice(args.indexOf('cmd.run') + 1).join(' '), via: 'salt' }]
      : [],
};

/** The first word that is no flag, and all after it. */
function operandsFrom(args: readonly string[], valued: readonly string[]): readonly string[] {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) return args.slice(at);
    if (valued.some(letter => arg === `-${letter}`)) at++;
  }
  return [];
}
