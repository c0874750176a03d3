// The whole command that brings up a sandbox: what it is made of, put together from its label and this machine.
import { bwrapFlags, bwrapLine, IO_DIR, type Plan } from './arguments.ts';
import { type CgroupPlan, joiningOf, oomCountOf } from './cgroups.ts';
import {
  BLOCK_FD,
  FLAGS_FD,
  INFO_FD,
  NETWORK_BLOCK_FD,
  NETWORK_INFO_FD,
  SECCOMP_FD,
  starterCommand,
} from './descriptors.ts';
import { starterLimits } from './enforcement.ts';
import type { Label } from './folder.ts';
import { type Command, launchCommand, reachableMounts, reachableSystem } from './launch.ts';
import type { Machine } from './machine.ts';
import { sourceIdentities } from './mounts.ts';

export interface CommandOptions {
  /** Of the sandbox, on the host. */
  readonly folder: string;
  readonly label: Label;
  readonly machine: Machine;
  /** The control groups that could be made, and what they hold. */
  readonly made: readonly CgroupPlan[];
  readonly held: ReadonlySet<string>;
}

/** Throws SANDBOX_NOT_CREATED when a mount is not what it was. */
export function sandboxCommand({ folder, label, machine, made, held }: CommandOptions): Command {
  const { uid, gid, mounts, ref, workdir, network, limits } = label;
  const { asRoot, root, isSetuid } = machine;
  const { inside, outside } = joiningOf(machine.cgroups, made);
  const launched = {
    ...{ folder, mounts, uid, gid, asRoot, root, isSetuid },
    identities: sourceIdentities(mounts, root),
    join: outside,
  };
  const oomCount = oomCountOf(machine.cgroups, made);
  return launchCommand(launched, joins => {
    const plan: Plan = {
      ...{ folder, workdir, hostname: ref.name, hidden: machine.hidden },
      system: reachableSystem(launched, machine.system()),
      mounts: reachableMounts(launched),
      ...(oomCount ? { oomCount } : {}),
      disablesUserns: machine.disablesUserns,
      fds: { flags: FLAGS_FD, seccomp: SECCOMP_FD, info: INFO_FD, ...(joins ? { block: BLOCK_FD } : {}) },
      ...(network === 'open' ? { network: { info: NETWORK_INFO_FD, block: NETWORK_BLOCK_FD } } : {}),
      command: starterCommand(IO_DIR, starterLimits(limits, held), inside.length),
    };
    return { line: bwrapLine(plan), flags: bwrapFlags(plan) };
  });
}
