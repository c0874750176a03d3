// Checks of where commands of chats run, and what they can reach from there.
import type { Check } from '../check.ts';

const MONTHS = 90 * 86_400;

/** With these, root in a container is close to root on the host. */
const STRONG_CAPABILITIES = [
  ...['SYS_ADMIN', 'SYS_MODULE', 'SYS_PTRACE', 'SYS_RAWIO', 'SYS_BOOT', 'SYS_TIME', 'DAC_READ_SEARCH'],
  ...['NET_ADMIN', 'BPF', 'PERFMON', 'MKNOD', 'MAC_ADMIN', 'SYSLOG'],
];

export const sandboxChecks: readonly Check[] = [
  {
    id: 'sandbox.no-isolation',
    severity: 'critical',
    title: 'Chats run on this machine itself',
    why: 'Whoever talks to the agent, or writes something that it reads, can do what its user can do on this machine.',
    fix: 'gateway.terminal_backend: docker, or bubblewrap where there is no Docker',
    find: ({ policy }) =>
      policy?.isolation === 'none'
        ? [`commands of chats run on ${policy.backend.value}, without isolation (${policy.backend.origin})`]
        : [],
  },
  {
    id: 'sandbox.remote',
    severity: 'medium',
    title: 'Chats run on another machine, without containment',
    why: 'They can do there what the account can do; nothing keeps sessions apart from each other.',
    fix: 'gateway.terminal_backend: docker; or, if that machine may be lost, terminal.ssh_disposable: true',
    find: ({ policy, isDisposable }) =>
      policy?.isolation === 'remote' && !isDisposable
        ? [`commands of chats run on another machine by ${policy.backend.value}`]
        : [],
  },
  {
    id: 'sandbox.wide-mounts',
    severity: 'critical',
    title: 'A folder that hands over the host is mounted into sandboxes of chats',
    why: 'System folders, homes, keys or the socket of an engine in a sandbox are the same as no sandbox.',
    fix: 'gateway.sandbox_volumes: only folders that were made for it',
    find: ({ mounts }) =>
      mounts.flatMap(({ volume, danger }) => (danger === undefined ? [] : [`${volume}: ${danger}`])),
  },
  {
    id: 'sandbox.writable-mounts',
    severity: 'medium',
    title: 'Sandboxes of chats can write to folders of the host',
    why: 'A session can change or delete what is in them, and so can whoever talks it into that.',
    fix: 'gateway.sandbox_volumes: end each with :ro',
    find: ({ mounts }) => mounts.filter(({ readOnly }) => !readOnly).map(({ volume }) => volume),
  },
  {
    id: 'sandbox.set-id',
    severity: 'high',
    title: 'Sandboxes of chats could leave set-user-id programs on the host',
    why: 'Such a program in a folder of the host lends its owner’s rights to everybody there, and outlives the sandbox.',
    fix: 'gateway.sandbox_volumes: end each with :ro; or the engine’s default seccomp profile and runtime (terminal.docker_runtime)',
    find({ mounts, refusesSetId }) {
      const writable = mounts.filter(({ readOnly }) => !readOnly);
      return refusesSetId === false ? writable.map(({ volume }) => `${volume}: no filter of ours holds`) : [];
    },
  },
  {
    id: 'sandbox.forwarded-secrets',
    severity: 'high',
    title: 'Secrets are forwarded into sandboxes of chats',
    why: 'Every command of every session can read them, and whoever talks to the agent can ask for them.',
    fix: 'gateway.sandbox_forward_env: without these names',
    find: ({ forwardedSecrets }) => forwardedSecrets.map(name => `${name} looks like a secret`),
  },
  {
    id: 'sandbox.network-open',
    severity: 'medium',
    title: 'Sandboxes of chats have a network',
    why: 'What a session has can be sent away, and what it fetches can bring orders along.',
    fix: 'gateway.sandbox_network: none; an owner can open one conversation with /network open',
    find: ({ config }) =>
      config.get('gateway.sandbox_network') === 'open' ? ['gateway.sandbox_network is open'] : [],
  },
  {
    id: 'sandbox.can-send-away',
    severity: 'high',
    title: 'Sandboxes of chats have a network and something worth sending',
    why: 'Host folders or secrets in a sandbox with a network are one injected sentence away from being elsewhere.',
    fix: 'gateway.sandbox_network: none, or empty gateway.sandbox_volumes and gateway.sandbox_forward_env',
    find({ config, mounts, forwardedSecrets }) {
      const things = [...mounts.map(({ volume }) => volume), ...forwardedSecrets];
      if (config.get('gateway.sandbox_network') !== 'open' || things.length === 0) return [];
      return [`an open network, and ${things.join(', ')}`];
    },
  },
  {
    id: 'sandbox.dangerous-volumes',
    severity: 'medium',
    title: 'Dangerous folders may be mounted',
    why: 'The check that refuses system folders and keys is off, for the next volume that somebody writes.',
    fix: 'terminal.docker_allow_dangerous_volumes: false',
    find: ({ config }) =>
      config.get('terminal.docker_allow_dangerous_volumes')
        ? ['terminal.docker_allow_dangerous_volumes is true']
        : [],
  },
  {
    id: 'sandbox.capabilities',
    severity: 'high',
    title: 'Containers keep capabilities that lead out of them',
    why: 'With these, root in a container can reach the kernel or the files of the host.',
    fix: 'terminal.docker_extra_caps: without these names',
    find: ({ config }) =>
      config
        .get('terminal.docker_extra_caps')
        .map(name => name.replace(/^CAP_/, ''))
        .filter(name => STRONG_CAPABILITIES.includes(name)),
  },
  {
    id: 'sandbox.image-moves',
    severity: 'low',
    title: 'The image of sandboxes has no fixed tag',
    why: 'What runs tomorrow need not be what was looked at today.',
    fix: 'gateway.sandbox_image: with a tag or, better, a digest (name@sha256:…)',
    find({ policy }) {
      const image = policy?.image.value ?? '';
      const isLoose = image !== '' && !image.includes('@') && !/:(?!latest$)[^/:]+$/.test(image);
      return isLoose ? [image] : [];
    },
  },
  {
    id: 'sandbox.persistent-shell',
    severity: 'low',
    title: 'A shell outlives its commands where nothing is contained',
    why: 'A function or variable that one command has planted is there for the next, on this machine itself.',
    fix: 'terminal.local_persistent: false, terminal.ssh_persistent: false',
    find: ({ policy }) =>
      policy && ['none', 'remote'].includes(policy.isolation) && policy.persistentShell.value
        ? [`persistent shells on ${policy.backend.value} (${policy.persistentShell.origin})`]
        : [],
  },
  {
    id: 'sandbox.retention',
    severity: 'low',
    title: 'Files of people are kept for very long',
    why: 'Sandboxes that nobody uses fill the disk, and what is in them can still be lost to others.',
    fix: 'gateway.sandbox_retention: 7d',
    find({ config }) {
      const seconds = config.get('gateway.sandbox_retention');
      const days = Math.round(seconds / 86_400);
      return seconds > MONTHS ? [`suspended sandboxes keep their files for ${days} days`] : [];
    },
  },
  {
    id: 'limits.not-enforced',
    severity: 'medium',
    title: 'Limits of sandboxes do not hold',
    why: 'One session can take all memory, processors or processes of this machine, and so stop all others.',
    fix: 'hermes doctor says which part is missing: mostly a cgroup controller that is not delegated',
    find({ limits }) {
      const names = limits
        ? (['cpus', 'memory', 'processes'] as const).filter(n => limits[n] === 'none')
        : [];
      return names.length === 0 ? [] : [`not limited: ${names.join(', ')}`];
    },
  },
  {
    id: 'limits.disk',
    severity: 'low',
    title: 'The disk of sandboxes is not limited',
    why: 'One session can fill the disk that the gateway keeps its state on.',
    fix: 'A storage driver with quotas (overlay2 on xfs with pquota), or the bubblewrap backend; watch the disk',
    find: ({ limits }) => (limits?.disk === 'none' ? ['the backend enforces no limit of disk space'] : []),
  },
];
