// hermes setup: the few things that an installation needs, each tried before it is saved. It can be called again at any time.
import { HermesError } from '../../base/errors.ts';
import { defineCommand, type Look } from '../command.ts';
import { renderTable } from '../table.ts';
import { runningStatus } from './gateway/running-status.ts';
import type { StepResult } from './setup/step.ts';

interface SetUp {
  readonly home: string;
  readonly steps: readonly StepResult[];
  /** A gateway that runs has the settings of its start. */
  readonly gateway: 'running' | 'none';
}

export const setup = defineCommand({
  doc: 'Asks for a model, chat apps, where commands run and who the owner is, and tries each before it saves it: the model by a question, a chat app by asking it who we are there, the backend by a real sandbox. What flags give is not asked for. Without a terminal, or with --yes, nothing is asked: what no flag gives stays as it is, and the first thing that does not work ends it.',
  flags: {
    model: { type: 'text', value: 'NAME', doc: 'the model, as its server has it' },
    provider: { type: 'text', value: 'NAME', doc: 'openai-compatible or anthropic' },
    baseUrl: { type: 'text', value: 'URL', doc: 'address of its server' },
    apiKeyEnv: { type: 'text', value: 'NAME', doc: 'the variable that holds its key' },
    platform: {
      type: 'text',
      value: 'NAME',
      doc: 'the chat app to connect; what it needs is read from standard input: NAME=VALUE in a line each, or the value alone where it is one',
    },
    backend: { type: 'text', value: 'NAME', doc: 'where commands run; auto takes what is isolated' },
    backendFor: {
      type: 'text',
      value: 'WHAT',
      doc: 'what --backend is for: chats, cli (hermes run, shell, chat) or both; else it is asked, else chats',
    },
    owner: { type: 'text', value: 'PLATFORM:ID', doc: 'who answers the agent’s questions' },
    yes: { type: 'switch', short: 'y', doc: 'ask nothing, install what is missing' },
  },
  args: [],
  examples: [
    ['setup', 'question by question'],
    ['setup --model qwen3:8b --base-url http://127.0.0.1:11434/v1 --yes', 'a model, nothing else'],
    ['setup --backend docker --backend-for both --yes', 'chats and the command line on docker'],
    ['setup --platform telegram --owner telegram:123456789 --yes < token.txt', 'a chat app, and its owner'],
  ],
  async run({ flags }, context): Promise<SetUp> {
    const { isTyped } = context.terminal();
    const { yes, ...others } = flags;
    const { platform } = others;
    const isAsking = isTyped && !yes;
    if (!isAsking && Object.values(others).every(each => each === undefined)) throw nobodyThere();
    // What stands on a command line can be seen by every user of the machine.
    const text = platform === undefined || isTyped ? undefined : await context.readInput();
    const [steps, { openPrompter }] = await Promise.all([loadSteps(), import('./prompter.ts')]);
    const prompter = isAsking ? openPrompter(context) : undefined;
    const wizard = { context, prompter };
    try {
      const results = [
        await steps.modelStep(others, wizard),
        ...(await steps.chatStep({ platform, text }, wizard)),
        await steps.backendStep(
          { name: others.backend, purpose: others.backendFor },
          wizard,
          prompter ?? (yes ? 'told' : 'nobody'),
        ),
        await steps.ownerStep(others.owner, wizard),
      ];
      const { home } = (await context.config()).paths;
      const gateway = (await runningStatus(home, context)) ? 'running' : 'none';
      return { home, steps: results, gateway };
    } finally {
      prompter?.close();
    }
  },
  render: renderSetUp,
});

async function loadSteps() {
  const [{ modelStep }, { chatStep }, { backendStep }, { ownerStep }] = await Promise.all([
    import('./setup/model-step.ts'),
    import('./setup/chat-step.ts'),
    import('./setup/backend-step.ts'),
    import('./setup/owner-step.ts'),
  ]);
  return { modelStep, chatStep, backendStep, ownerStep };
}

function nobodyThere(): HermesError {
  return new HermesError(
    'USAGE_BAD_ARGUMENTS',
    'Nobody is there to be asked, and no flag says what to set up. See: hermes setup --help',
  );
}

function renderSetUp({ steps, gateway }: SetUp, look: Look): string {
  const { colors } = look;
  const rows = steps.map(({ step, outcome, said }) => [
    step,
    outcome === 'set' ? colors.green('set') : colors.dim('as it was'),
    said,
  ]);
  const next =
    gateway === 'running'
      ? 'The gateway that runs has the old settings: hermes gateway restart'
      : 'Start it: hermes start';
  return [renderTable(['', '', ''], rows, look), '', next].join('\n');
}
