// hermes start: from nothing to a running gateway and a link to talk to it. `npm start` is this.
import { isHermesError } from '../../base/errors.ts';
import type { GatewayStatus } from '../../gateway/process/status.ts';
import type { Invitation } from '../../platforms/platform.ts';
import { type CommandContext, defineCommand, type Look } from '../command.ts';
import { makeLink } from './gateway/login.ts';
import { platformText } from './gateway/ready.ts';
import { runningStatus } from './gateway/running-status.ts';
import type { Consent } from './start/isolation.ts';
import { timeText } from './wording.ts';

interface Started {
  /** `already`: it was running before, and was left as it is. */
  readonly started: 'now' | 'already';
  readonly home: string;
  readonly status: GatewayStatus;
  /** Into the page, once, as an owner; null where the page is off or cannot be opened. */
  readonly login: Invitation | null;
  /** For the eyes of whoever has started it, such as the code that claims the first owner. */
  readonly greeting: readonly string[];
  /** How the program is called here. */
  readonly call: string;
  readonly isRemote: boolean;
}

const PAGE = { platform: 'web', person: 'owner', role: 'owner' } as const;
const PAGE_SETTING = 'web.enabled';
/** As sysexits has it. */
const EX_UNAVAILABLE = 69;

export const start = defineCommand({
  doc: 'Starts the gateway in the background with everything that it needs to be tried: sees to it that sandboxes can be made (as root on Debian and Ubuntu it installs bubblewrap where nothing else works, after asking on a terminal), turns on the page on this machine unless web.enabled says otherwise, and prints a link that lets you in as the owner, once. Where it runs already it only makes a link. It never runs commands of chats on the machine itself because nothing else works.',
  flags: { yes: { type: 'switch', short: 'y', doc: 'install what is missing without asking' } },
  args: [],
  examples: [
    ['start', 'a running gateway, and a link into it'],
    ['start --yes', 'without a question'],
    ['start --set web.port=9000', 'with the page on another port'],
  ],
  async run({ flags }, context): Promise<Started> {
    const config = await context.config();
    const { home } = config.paths;
    const running = await runningStatus(home, context);
    if (running) return outcome({ started: 'already', home, status: running, greeting: [] }, context);
    const [{ ensureIsolation }, { startDetached }] = await Promise.all([
      import('./start/isolation.ts'),
      import('./gateway/detach.ts'),
    ]);
    await withConsent(flags.yes, context, consent => ensureIsolation(config, context, consent));
    const isWritten = config.origin(PAGE_SETTING).from !== 'default';
    const words = gatewayWords(process.argv.slice(2), isWritten ? [] : ['--set', `${PAGE_SETTING}=true`]);
    const { status, greeting, login } = await startDetached({ home, words }, context);
    return outcome({ started: 'now', home, status, greeting }, context, login);
  },
  render: renderStarted,
  // It serves its other platforms, but the page that was asked for is not there.
  exitCode: ({ status: { platforms = [] } }) =>
    platforms.some(({ name, state }) => name === PAGE.platform && state === 'failed') ? EX_UNAVAILABLE : 0,
});

/** Only who types can be asked. */
async function withConsent(
  isGiven: boolean,
  context: CommandContext,
  work: (consent: Consent) => Promise<void>,
): Promise<void> {
  if (isGiven || !context.terminal().isTyped) return work(isGiven ? 'told' : 'nobody');
  const { openPrompter } = await import('./prompter.ts');
  return work({
    async confirm(question) {
      const prompter = openPrompter(context);
      try {
        return await prompter.confirm(question);
      } finally {
        prompter.close();
      }
    },
  });
}

/** The same call with `gateway start` in the place of `start`. */
function gatewayWords(words: readonly string[], added: readonly string[]): readonly string[] {
  const own = ['--yes', '-y'];
  const kept = words.filter(word => !own.includes(word));
  return [...added, ...kept.flatMap(word => (word === 'start' ? ['gateway', 'start'] : [word]))];
}

async function outcome(
  about: Pick<Started, 'started' | 'home' | 'status' | 'greeting'>,
  context: CommandContext,
  login?: Invitation,
): Promise<Started> {
  const { environment } = context;
  return {
    ...about,
    login: login ?? (await linkIfAny(context)),
    call: environment['npm_lifecycle_event'] === undefined ? 'hermes' : 'npx hermes',
    isRemote: environment['SSH_CONNECTION'] !== undefined,
  };
}

/** Null when the gateway has no page to let somebody into. */
async function linkIfAny(context: CommandContext): Promise<Started['login']> {
  try {
    return await makeLink(PAGE, context);
  } catch (error) {
    if (isHermesError(error, 'DENIED_ACTION')) context.warn(error.message);
    else if (!isHermesError(error, 'USAGE_UNKNOWN_COMMAND')) throw error;
    return null;
  }
}

function renderStarted(data: Started, { colors }: Look): string {
  const { started, status, login, greeting, call, isRemote } = data;
  const { backend, isolation, network } = status.sandboxes;
  const platforms = (status.platforms ?? []).map(each => `  ${each.name}: ${platformText(each)}`);
  const head = `Hermes ${started === 'now' ? 'runs' : 'runs already'}: process ${status.pid}.`;
  const place = `Commands of chats run on ${backend} (isolation ${isolation}, network ${network}).`;
  const page = login ? pageLines(login, { call, isRemote, bold: colors.bold }) : noPage(status, call);
  return [
    head,
    place,
    ...platforms,
    ...(login ? [] : greeting),
    '',
    ...page,
    '',
    `A model, a chat app:  ${call} setup`,
    `What runs:            ${call} status`,
    `Stop:                 ${call} gateway stop`,
  ].join('\n');
}

interface PageWords {
  readonly call: string;
  readonly isRemote: boolean;
  readonly bold: (text: string) => string;
}

function pageLines(
  { link, expiresAt }: NonNullable<Started['login']>,
  { call, isRemote, bold }: PageWords,
): string[] {
  const { port } = new URL(link);
  const tunnel = `From your own machine, first: ssh -L ${port}:127.0.0.1:${port} THIS-MACHINE`;
  return [
    'Open this in a browser on this machine; it works once and makes you the owner:',
    '',
    `  ${bold(link)}`,
    '',
    ...(isRemote ? [tunnel] : []),
    `It is good until ${timeText(expiresAt)}. A new one: ${call} start`,
    'Type there: !uname -a    It runs in the sandbox of that chat.',
  ];
}

function noPage({ platforms = [] }: GatewayStatus, call: string): string[] {
  const isServed = platforms.some(({ name, state }) => name === PAGE.platform && state === 'connected');
  if (isServed) return [`A new link into the page: ${call} gateway restart`];
  if (platforms.length > 0) return [`There is no page to log in to. ${call} gateway logs may say why.`];
  return [
    `Nobody can talk to it: no chat is set up. ${call} config set ${PAGE_SETTING} true turns on the page.`,
  ];
}
