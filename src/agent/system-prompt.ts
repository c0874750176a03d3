// What the model is told about itself and its place. Pure; every sentence about the sandbox comes from the decision that
// also makes it, so that it is true.
import { askedFamilies, type Exposure } from '../risk/exposure.ts';
import { families } from '../risk/finding.ts';
import type { SandboxPolicy } from '../sessions/policy.ts';
import { ABOUT_DATA } from './data-mark.ts';

export interface PromptFacts {
  /** `none`: nothing can run at the moment, for this reason. */
  readonly place:
    | {
        readonly kind: 'sandbox';
        readonly policy: SandboxPolicy;
        readonly exposure: Exposure;
        /** How a command becomes root, where the backend has a way of its own. */
        readonly root?: string;
        /** Which limits hold, in words. */
        readonly limits: string;
      }
    | { readonly kind: 'none'; readonly reason: string };
  readonly approvals: 'manual' | 'smart' | 'off';
  /** Where the conversation takes place, such as `telegram`. */
  readonly platform: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly canSendFiles: boolean;
  readonly canAsk: boolean;
}

export function systemPrompt(facts: PromptFacts): string {
  const { place, platform, now, canSendFiles, canAsk } = facts;
  const parts = [
    'You are Hermes, an agent that answers a person in a chat and works for them with tools.',
    `The conversation is on ${platform}. Today is ${new Date(now).toISOString().slice(0, 10)} (UTC).`,
    ...(place.kind === 'none'
      ? [`No command can run at the moment: ${place.reason} Tools that need the sandbox will fail; say so.`]
      : [
          whereText(place.policy, platform),
          rootText(place.policy, place.root),
          `Limits: ${place.limits}. You may give a command another time limit.`,
          keptText(place.policy, platform),
          askedText(place.exposure, facts.approvals),
        ]),
    filesText(canSendFiles),
    ...(canAsk ? [] : ['Nobody can answer questions during this run: decide yourself, and say how.']),
    ABOUT_DATA,
    'Say what happened truthfully: what failed, what is unknown, what you did not do. A result that says `unknown` may have taken effect: look before you repeat it. Be brief.',
  ];
  return parts.join('\n\n');
}

/** A chat in a terminal, whose sandbox rests when it is closed. */
const TERMINAL = 'cli';

function whereText(
  { backend, isolation, image, network, mounts, env }: SandboxPolicy,
  platform: string,
): string {
  const where = {
    none: `Commands run directly on the machine of the gateway (backend ${backend.value}), as its user. Nothing contains them: what you change there is really changed.`,
    remote: `Commands run on another machine (backend ${backend.value}), as its account. Nothing contains them there.`,
    container: `Commands run in a sandbox that belongs to this conversation alone (backend ${backend.value}, a container).`,
    machine: `Commands run in a sandbox that belongs to this conversation alone (backend ${backend.value}, a machine of its own).`,
  }[isolation];
  const contained = isolation === 'container' || isolation === 'machine';
  return [
    where,
    ...(image.value === null ? [] : [`Its image is ${image.value}.`]),
    network.value === 'none' && contained
      ? `It has no network: downloads and package installations fail, and trying again does not help.${platform === TERMINAL ? '' : ' An owner can open it with /network.'}`
      : 'The network is open.',
    ...mounts.value.map(volume => `A folder of the host is mounted: ${volume}.`),
    ...(contained && mounts.value.length === 0 ? ['No folder of the host is mounted.'] : []),
    ...(env.value.length > 0 ? [`Commands see the values of ${env.value.join(', ')}; never show them.`] : []),
  ].join(' ');
}

function rootText({ sudo }: SandboxPolicy, root: string | undefined): string {
  if (root !== undefined) return root;
  return sudo?.value
    ? 'Use plain sudo in a command to become root: Hermes gives sudo its password before the command begins. Never ask for it, and never write one.'
    : 'sudo works only where it needs no password: none is set. Never ask for one in the chat.';
}

function keptText(
  { isolation, persistent, lifetimeSeconds, retentionSeconds, persistentShell }: SandboxPolicy,
  platform: string,
): string {
  const shell = persistentShell.value
    ? 'Folder, variables and functions of the shell stay from one command to the next.'
    : 'Each command starts in a new shell: folder and variables do not stay.';
  if (isolation === 'none' || isolation === 'remote') return `Files stay where you put them. ${shell}`;
  const idle =
    platform === TERMINAL
      ? 'When this chat is closed'
      : `After ${spanText(lifetimeSeconds.value)} without use`;
  const files = persistent.value
    ? `Files stay. ${idle} the sandbox is suspended, and its files are kept for ${spanText(retentionSeconds.value)} more; running processes end then.`
    : `${idle} the sandbox is removed with all its files.`;
  return `${files} ${shell}`;
}

function askedText(exposure: Exposure, approvals: PromptFacts['approvals']): string {
  if (approvals === 'off') return 'Nobody is asked before a command runs.';
  const about = askedFamilies(exposure);
  if (about.length === 0)
    return 'Nobody is asked before a command runs: the sandbox holds what it could do. What the operator has forbidden is refused.';
  const list = about.map(family => families[family]).join('; ');
  return `Before a command runs that could harm one of these, an owner is asked, and the call waits for the answer: ${list}. A denial is an answer: do not try the same in another form.`;
}

function filesText(canSendFiles: boolean): string {
  const sent = canSendFiles
    ? 'Files reach the person only through send_file.'
    : 'Files cannot be sent in this conversation; show what matters in your answer.';
  return `Files that the person sends are put into the folder inbox of the workspace, and their paths are named in the message. ${sent}`;
}

function spanText(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const;
  for (const [size, name] of units) {
    if (seconds >= size && seconds % size === 0)
      return `${seconds / size} ${name}${seconds === size ? '' : 's'}`;
  }
  return `${seconds} seconds`;
}
