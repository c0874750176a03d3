// hermes model list: what the configured server offers.
import { type CommandContext, defineCommand, type Look } from '../../command.ts';
import { renderTable } from '../../table.ts';
import { plainLine } from '../wording.ts';
import { modelServer } from './server.ts';

interface ListedModels {
  readonly provider: string;
  readonly address: string;
  readonly models: readonly { readonly name: string; readonly inUse: boolean }[];
}

export const modelList = defineCommand({
  doc: 'Asks the configured server which models it has. No model needs to be set for that.',
  flags: {},
  args: [{ name: 'text', doc: 'only names that contain this', optional: true }],
  examples: [
    ['model list', 'all models of the server'],
    ['model list llama', 'those with llama in their name'],
    ['--set model.base_url=http://127.0.0.1:11434/v1 model list', 'those of another server'],
  ],
  async run({ args }, context: CommandContext): Promise<ListedModels> {
    const { provider, address, current } = await modelServer(context);
    context.note(`asking ${address}`);
    const wanted = (args.text ?? '').toLowerCase();
    const names = await provider.models({ signal: context.signal });
    const models = names
      .filter(name => name.toLowerCase().includes(wanted))
      .map(name => ({ name, inUse: name === current }));
    return { provider: provider.name, address, models };
  },
  render: renderModels,
});

function renderModels({ address, models }: ListedModels, look: Look): string {
  if (models.length === 0) return `${address} has no such model.`;
  const rows = models.map(({ name, inUse }) => [plainLine(name), inUse ? look.colors.green('in use') : '']);
  const hint = models.some(({ inUse }) => inUse) ? [] : ['', 'Choose one: hermes model set NAME'];
  return [renderTable(['model', ''], rows, look), ...hint].join('\n');
}
