// Commands about the sandbox of the conversation: what it is, its network, and files out of it as bytes.
import { basename } from 'node:path/posix';
import type { Deed } from '../../agent/deed.ts';
import { HermesError } from '../../base/errors.ts';
import type { ListedFile } from '../../sandboxes/files.ts';
import { sendableFile, workspacePath } from '../../sessions/attachments.ts';
import { decide } from '../../sessions/decide.ts';
import { whenRebuilt } from '../../sessions/drift-words.ts';
import { type Explanation, explainSandbox } from '../../sessions/explain.ts';
import { driftText, liveTerms } from '../../sessions/live-terms.ts';
import type { NewBody } from '../outgoing.ts';
import type { ChatCommand, CommandContext } from './command.ts';
import { runningProcesses } from './status.ts';

const MOST_FILES = 200;

export const sandbox: ChatCommand = {
  name: 'sandbox',
  doc: 'Where the commands of this conversation run, and who decided so.',
  for: 'everybody',
  async run({ parts, session, by }) {
    const { store, config, facts } = parts.world;
    const { backend: recorded } = await store.installation.read();
    const entry = await store.ledger.findLive(session.id);
    const known = await store.ledger.enforcements();
    const world = { backends: facts, recorded };
    return explained(explainSandbox({ config, session, world, entry, known, reader: by.role }));
  },
};

function explained({
  backend,
  image,
  network,
  mounts,
  exposures,
  refusal,
  sandbox: live,
  limitsHeld,
}: Explanation): string {
  if (refusal) return `${refusal.reason} ${refusal.fix}`;
  return [
    `Backend: ${backend.value} (${backend.origin})`,
    ...(image.value === null ? [] : [`Image: ${image.value} (${image.origin})`]),
    `Network: ${network.value} (${network.origin})`,
    ...(limitsHeld === null ? [] : [`Limits: ${limitsHeld}`]),
    `Host folders: ${mounts.value?.length ? mounts.value.join(', ') : 'none'}`,
    `Sandbox: ${live ? `${live.id}, ${live.state}` : 'none yet; it is made with the first command'}`,
    ...(live?.hasDrifted ? [`The settings have changed (${driftText(live.drift)}); ${live.outlook}.`] : []),
    ...(exposures.length > 0
      ? ['', 'What it could hurt outside itself:', ...exposures.map(each => `• ${each}`)]
      : []),
  ].join('\n');
}

export const network: ChatCommand = {
  name: 'network',
  usage: 'open|none',
  doc: 'Opens or closes the network of this conversation’s sandbox.',
  for: 'owners',
  async run({ parts, session, args }) {
    const wanted = (['open', 'none'] as const).find(each => each === args.toLowerCase());
    if (!wanted) throw new HermesError('USAGE_BAD_ARGUMENTS', 'Use it like this: /network open|none');
    const { world } = parts;
    const decision = await decide(world, { ...session, network: wanted });
    if (decision.kind === 'refused') return `${decision.reason} ${decision.fix}`;
    await world.store.sessions.setNetwork(session.id, wanted);
    const entry = await world.store.ledger.findLive(session.id);
    if (!entry || liveTerms(world, entry).network === wanted)
      return `The network of this conversation is ${wanted} now.`;
    const running = (await runningProcesses(world.store, session.id)).length;
    return `The network of this conversation is to be ${wanted}. Its sandbox is rebuilt ${whenRebuilt(running)}: files in its workspace stay, installed software does not.`;
  },
};

export const files: ChatCommand = {
  name: 'files',
  usage: '[FOLDER]',
  doc: 'Lists files of the workspace.',
  for: 'everybody',
  run(context) {
    const path = context.args || '.';
    return inSandbox(context, {
      ...{ name: '/files', subject: path, action: { kind: 'list', path } },
      work: async ({ handle }, place) =>
        listing(await handle.listFiles(await workspacePath(handle, place.path ?? path))),
    });
  },
};

function listing(files: readonly ListedFile[]): string {
  if (files.length === 0) return 'There are no files.';
  const lines = files
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, MOST_FILES)
    .map(({ name, type, size }) => (type === 'folder' ? `${name}/` : `${name}  ${size}`));
  const more = files.length > MOST_FILES ? [`… and ${files.length - MOST_FILES} more`] : [];
  return ['```', ...lines.map(line => line.replaceAll('`', 'ˋ')), ...more, '```'].join('\n');
}

export const get: ChatCommand = {
  name: 'get',
  usage: 'PATH',
  doc: 'Sends a file of the workspace.',
  for: 'everybody',
  run(context) {
    const { args: path, links, address } = context;
    if (path === '') throw new HermesError('USAGE_BAD_ARGUMENTS', 'Use it like this: /get PATH');
    const most = links.capabilities(address.platform)?.maxFileOut ?? 0;
    return inSandbox<readonly NewBody[]>(context, {
      ...{ name: '/get', subject: path, action: { kind: 'send', path } },
      work: async ({ handle }, place) => [
        {
          kind: 'file',
          name: basename(path) || 'file',
          bytes: await sendableFile(handle, place.path ?? path, most),
        },
      ],
    });
  },
};

/** Nothing is made only to be looked at. */
async function inSandbox<T>({ parts, session, perform }: CommandContext, deed: Deed<T>): Promise<T | string> {
  if (!(await parts.world.store.ledger.findLive(session.id))) {
    return 'This conversation has no sandbox yet; it is made with the first command.';
  }
  return perform(deed);
}
