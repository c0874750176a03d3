// hermes model set: chooses the model that answers.
import { defineCommand } from '../../command.ts';
import { changeSetting } from '../config/change-setting.ts';

interface ChosenModel {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly file: string;
}

export const modelSet = defineCommand({
  doc: 'Writes the model into config.yaml, and with the flags also where it is. Asks no server; `hermes model test` does. A key goes to .env: `hermes config set OPENAI_API_KEY -`.',
  flags: {
    provider: { type: 'text', value: 'NAME', doc: 'openai-compatible or anthropic' },
    baseUrl: { type: 'text', value: 'URL', doc: 'address of the server, most often with /v1 at its end' },
  },
  args: [{ name: 'name', doc: 'the model, as `hermes model list` has it' }],
  examples: [
    ['model set qwen3:8b --base-url http://127.0.0.1:11434/v1', 'a model of a local Ollama'],
    ['model set claude-sonnet-4-5 --provider anthropic', 'a model of Anthropic'],
    ['model set gpt-5-mini', 'another model of the same server'],
  ],
  async run({ flags, args }, context): Promise<ChosenModel> {
    const wanted = {
      ...(flags.provider === undefined ? {} : { 'model.provider': flags.provider }),
      ...(flags.baseUrl === undefined ? {} : { 'model.base_url': flags.baseUrl }),
      'model.name': args.name,
    };
    // All of it is checked before any of it is written.
    const given = Object.entries(wanted).map(([key, text]) => [key, { flag: flagOf(key), text }]);
    const config = await context.config(Object.fromEntries(given));
    let file = '';
    for (const [key, text] of Object.entries(wanted)) ({ file } = await changeSetting(key, text, context));
    const baseUrl = config.get('model.base_url');
    if (flags.provider !== undefined && flags.baseUrl === undefined && baseUrl !== undefined) {
      const undo = '`hermes config unset model.base_url` takes the provider’s own.';
      context.note(`The address stays ${baseUrl}. ${undo}`);
    }
    return { name: args.name, provider: config.get('model.provider'), baseUrl: baseUrl ?? null, file };
  },
  render: ({ name, provider, baseUrl, file }) =>
    `${name} of ${baseUrl ?? provider} is the model now  (${file})\nTry it: hermes model test`,
});

function flagOf(key: string): string {
  return key === 'model.base_url' ? '--base-url' : key === 'model.provider' ? '--provider' : 'NAME';
}
