// The table of all ways out: how each is driven, and where what it carries has to arrive, redacted.
import { HermesError } from '../../../src/base/errors.ts';
import { askGateway } from '../../../src/gateway/process/ask-gateway.ts';
import type { SentMessage } from '../../doubles/telegram-server.ts';
import { PATIENCE_MS } from '../../wait.ts';
import { FETCHED } from './model-script.ts';
import { KEY, shortSpill, spill } from './secrets.ts';
import { OWNER, type Stage } from './stage.ts';

/** Where something arrives; `db` and `cli` are followed by the column and by the command. */
export type Place =
  | 'chat'
  | 'model'
  | 'log'
  | 'page'
  | 'control'
  | 'http'
  | 'terminal of the gateway'
  | `db ${string}`
  | `cli ${string}`;

export interface Way {
  readonly drive: (stage: Stage, heard: (place: Place, text: string) => void) => Promise<void>;
  /** By the name of what is spilled. */
  readonly arrives: Readonly<Record<string, readonly Place[]>>;
}

const STRANGER = { id: 3003, name: shortSpill('stranger-name') };
const USER = 2002;

const scene = (name: string, arrives: Way['arrives']): Way => ({
  drive: stage => stage.drive(name),
  arrives,
});

export async function sandboxOf(stage: Stage): Promise<string> {
  const { stdout } = await stage.cli('sandbox', 'list', '--json');
  const { sandboxes } = JSON.parse(stdout) as { sandboxes: readonly { id: string }[] }; // our own program's
  return sandboxes[0]?.id ?? '';
}

/** The first message after now for which it holds. */
function nextSent(stage: Stage, holds: (message: SentMessage) => boolean): Promise<SentMessage> {
  const before = stage.telegram.sent.length;
  return stage.telegram.whenSent(each => stage.telegram.sent.indexOf(each) >= before && holds(each), {
    timeoutMs: PATIENCE_MS,
  });
}

async function line(stage: Stage, id: string, sandbox: string, command: string): Promise<void> {
  const ended = stage.page.whenFrame(frame => frame.includes('line-end') && frame.includes(`"${id}"`));
  stage.page.send({ type: 'line', id, sandbox, command });
  await ended;
}

/** In a sandbox, to the model and to chats. */
const AGENT: Readonly<Record<string, Way>> = {
  'a command and its output': scene('terminal', {
    terminal: ['model', 'db audit.subject', 'db audit.details', 'cli audit list'],
    'answer-terminal': ['chat'],
  }),
  'a background process, its output and the list of all': scene('background', {
    background: ['db processes.command', 'cli sandbox inspect', 'page'],
    output: ['model', 'cli sandbox logs'],
  }),
  'files that are read and searched': scene('files', { read: ['model'], search: ['model'] }),
  'the name and caption of a file': scene('send', {
    caption: ['chat', 'db outbox.body'],
    name: ['chat', 'db outbox.body', 'cli sandbox files', 'page'],
  }),
  'a file that a person asks for': {
    async drive(stage) {
      const sent = nextSent(stage, ({ file }) => file !== undefined);
      stage.telegram.say(OWNER, `/get ${FETCHED}`);
      await sent;
    },
    arrives: { fetched: ['chat', 'db outbox.body'] },
  },
  'a question to the person, and what they type': {
    async drive(stage) {
      const asked = nextSent(stage, ({ buttons }) => buttons.length > 0);
      const over = stage.drive('question');
      await asked;
      stage.telegram.say(OWNER, spill('typed'));
      await over;
    },
    arrives: {
      question: ['chat', 'db outbox.body'],
      option: ['chat', 'db outbox.body'],
      typed: ['model', 'chat', 'db outbox.body'],
    },
  },
  'an answer while it is written': scene('live', { live: ['chat', 'db outbox.body'] }),
  'a model that fails': {
    async drive(stage) {
      const said = nextSent(stage, () => true);
      stage.telegram.say(OWNER, 'drive failing');
      await said;
    },
    arrives: { failing: ['log', 'cli gateway logs'] },
  },
};

/** To chats and operators, past the agent. */
const GATEWAY: Readonly<Record<string, Way>> = {
  'a message that cannot be delivered': {
    async drive(stage) {
      await stage.cli('people', 'allow', `telegram:${USER}`);
      const told = nextSent(
        stage,
        ({ chat, text }) => chat === String(OWNER) && text.includes('not delivered'),
      );
      stage.telegram.fault('sendMessage', { status: 403, description: spill('undelivered') });
      stage.telegram.say(USER, '/help');
      await told;
    },
    arrives: { undelivered: ['chat', 'log', 'db outbox.problem', 'db outbox.body', 'db audit.details'] },
  },
  'a stranger who asks for access': {
    async drive(stage) {
      const card = nextSent(stage, ({ chat, text }) => chat === String(OWNER) && text.includes('stranger'));
      stage.telegram.say(STRANGER, spill('stranger'));
      await card;
    },
    arrives: {
      stranger: ['chat', 'cli pairing list'],
      'stranger-name': ['chat', 'page', 'cli pairing list'],
    },
  },
  'a platform that fails': {
    drive: async () => undefined, // it has failed since the start
    arrives: {
      platform: ['log', 'page', 'control', 'cli status', 'cli gateway status', 'terminal of the gateway'],
      warning: ['log', 'page', 'control', 'cli status', 'cli gateway status', 'terminal of the gateway'],
    },
  },
  'an error of the control socket': {
    async drive({ home }, heard) {
      const request = { verb: 'change-sandbox', sandbox: spill('control'), action: 'suspend' } as const;
      const failed = await askGateway(home, request).catch(error => error);
      heard('control', failed instanceof HermesError ? JSON.stringify(failed) : 'no error');
      heard('control', JSON.stringify(await askGateway(home, { verb: 'status' })));
    },
    arrives: { control: ['control'] },
  },
  'an error of the CLI': {
    async drive({ cli }, heard) {
      const words = ['sandbox', 'inspect', spill('cli')];
      for (const { stderr } of [await cli(...words), await cli(...words, '--json')])
        heard('cli sandbox inspect', stderr);
    },
    arrives: { cli: ['cli sandbox inspect'] },
  },
};

/** To pages in a browser. */
const PAGE: Readonly<Record<string, Way>> = {
  'the topics of a page': {
    async drive({ page }) {
      const seen = page.whenFrame(
        frame => frame.includes('"topic":"pairings"') && frame.includes('way-stranger-name'),
      );
      page.send({
        type: 'watch',
        topics: ['status', 'approvals', 'pairings', 'people', 'sandboxes', 'sessions'],
      });
      await Promise.all([seen, page.whenFrame(frame => frame.includes('way-platform'))]);
    },
    arrives: {},
  },
  'the steps of a run': {
    async drive(stage) {
      stage.page.send({ type: 'watch', topics: [], chat: 'main' });
      const over = stage.page.whenFrame(frame => frame.includes('"run-over"'));
      await stage.page.say('drive terminal');
      await over;
    },
    arrives: { terminal: ['page'] },
  },
  'a line in the terminal of a page': {
    drive: async stage => line(stage, 'l1', await sandboxOf(stage), `echo ${spill('line')}`),
    arrives: { line: ['page', 'db audit.subject'] },
  },
  'an error of the terminal of a page': {
    drive: stage => line(stage, 'l2', KEY, 'true'),
    arrives: {},
  },
  'answers and errors of the page’s server': {
    async drive(stage, heard) {
      const sandbox = await sandboxOf(stage);
      const asked = [
        stage.page.ask('/api/run', { command: spill('api') }),
        stage.page.ask('/api/run', { command: 'sandbox files', args: { id: sandbox } }),
        stage.page.ask(`/api/processes?sandbox=${sandbox}`),
        stage.page.ask(`/api/file?sandbox=${sandbox}&path=${encodeURIComponent(spill('path'))}`),
      ];
      for (const body of await Promise.all(asked)) heard('page', body);
    },
    arrives: { api: ['page'], name: ['page'], background: ['page'] },
  },
};

/** On a backend that is not contained: a person is asked first, and commands beside the gateway read what processes print. */
export const ASKING: Readonly<Record<string, Way>> = {
  'the output of a background process': scene('printing', { printed: ['cli sandbox logs'] }),
  'a command that has to be approved': {
    async drive(stage, heard) {
      const asked = nextSent(stage, ({ buttons }) => buttons.length > 0);
      const listed = stage.page.whenFrame(
        frame => frame.includes('"topic":"approvals"') && frame.includes('way-'),
      );
      stage.page.send({ type: 'watch', topics: ['approvals'] });
      const over = stage.drive('approval');
      await asked;
      await listed;
      for (const json of [[], ['--json']])
        heard('cli approvals list', (await stage.cli('approvals', 'list', ...json)).stdout);
      const { stdout } = await stage.cli('approvals', 'list', '--json');
      const { approvals } = JSON.parse(stdout) as { approvals: readonly { id: string }[] }; // our own program's
      const [flags, args] = [{ reason: spill('reason') }, { id: approvals[0]?.id ?? '' }];
      heard('page', await stage.page.ask('/api/run', { command: 'approvals deny', flags, args }));
      await over;
    },
    arrives: {
      approval: ['chat', 'page', 'model', 'cli approvals list', 'db audit.subject', 'db outbox.body'],
      reason: ['model', 'db audit.outcome'],
    },
  },
};

export const WAYS: Readonly<Record<string, Way>> = { ...AGENT, ...GATEWAY, ...PAGE };
