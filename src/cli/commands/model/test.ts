// hermes model test: one real question, to see that address, key and model work and that the model can call tools.
import { HermesError } from '../../../base/errors.ts';
import type { ModelRequest, Usage } from '../../../providers/provider.ts';
import { type CommandContext, defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { plainLine } from '../wording.ts';
import { type ModelServer, modelServer } from './server.ts';

interface TriedModel {
  readonly model: string;
  readonly provider: string;
  readonly address: string;
  /** Until the first sign of an answer, and until its end. */
  readonly firstMs: number;
  readonly totalMs: number;
  readonly calledTool: boolean;
  readonly answer: string;
  readonly usage: Usage;
}

const QUESTION: ModelRequest = {
  system: 'You are being tested. Do what you are asked, and nothing else.',
  messages: [{ role: 'user', text: 'Call the tool `report` once, with the word "ready".' }],
  tools: [
    {
      name: 'report',
      description: 'Reports one word.',
      parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    },
  ],
};

export const modelTest = defineCommand({
  doc: 'Asks the configured model one short question and wants a tool call for an answer, as the agent does. Exits 0 when an answer came, whether with the call or without.',
  flags: {},
  args: [],
  examples: [
    ['model test', 'does the configured model answer?'],
    ['model test --json', 'for programs'],
  ],
  run: (_, context) => tryModel(context),
  render: renderTried,
});

/** One real call. Throws what the model's server makes of it, CONFIG_MODEL_UNKNOWN when none is set. */
export async function tryModel(context: CommandContext): Promise<TriedModel> {
  const server = await modelServer(context);
  if (server.current === undefined) {
    const message =
      'No model is set. `hermes model list` shows those of the server, `hermes model set NAME` chooses.';
    throw new HermesError('CONFIG_MODEL_UNKNOWN', message);
  }
  context.note(`asking ${server.current} of ${server.address}`);
  return ask(server, context);
}

async function ask(
  { provider, address, redact }: ModelServer,
  { clock, signal, note }: CommandContext,
): Promise<TriedModel> {
  const start = clock.monotonic();
  let [firstMs, answer, calledTool] = [0, '', false];
  let usage: Usage = { inputTokens: 0, outputTokens: 0 };
  for await (const event of provider.stream(QUESTION, { signal })) {
    if (event.type === 'waiting') {
      note(`${event.reason} Trying again in ${event.seconds} s.`);
      continue;
    }
    firstMs ||= clock.monotonic() - start;
    if (event.type === 'text') answer += event.delta;
    if (event.type === 'call') calledTool ||= event.call.name === 'report';
    if (event.type === 'end') usage = event.usage;
  }
  const totalMs = Math.round(clock.monotonic() - start);
  const { model, name } = provider;
  const said = { calledTool, answer: redact(answer), usage };
  return { model, provider: name, address, firstMs: Math.round(firstMs), totalMs, ...said };
}

function renderTried(tried: TriedModel, look: Look): string {
  const { colors } = look;
  const tools = tried.calledTool
    ? colors.green('called as asked')
    : colors.yellow('not called; the agent may be of little use with this model');
  const said = plainLine(tried.answer);
  const rows = [
    ['model', tried.model],
    ['server', `${tried.address} (${tried.provider})`],
    ['first sign', `${tried.firstMs} ms`],
    ['whole answer', `${tried.totalMs} ms`],
    ['tools', tools],
    ['tokens', `${tried.usage.inputTokens} read, ${tried.usage.outputTokens} written`],
    ...(said === '' ? [] : [['it said', said.length > 300 ? `${said.slice(0, 300)}…` : said]]),
  ];
  return renderTable([colors.green('works'), ''], rows, look);
}
