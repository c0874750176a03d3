// The settings that hold for every model. Keys are declared by the driver that wants them.
import { choice, decimal, integer, matching, text, variableName } from '../base/kinds.ts';
import { defineSection, optional, setting } from '../base/setting.ts';
import { providerNames } from './index.generated.ts';

const address = matching(
  /^https?:\/\/[^\s@?#]+$/,
  'an http or https address, without a password in it, such as `http://127.0.0.1:11434/v1`',
);
const price = decimal(0, 100_000);

export const section = defineSection({
  title: 'Model',
  doc: 'Which model answers. Without `model.name` there is none: messages that start with `!` run as commands, and nothing else happens.',
  settings: {
    'model.provider': setting(choice(providerNames), {
      default: 'openai-compatible',
      doc: 'How the server of the model is spoken to.',
    }),
    'model.base_url': optional(address, {
      unset: 'the provider’s own: `https://api.openai.com/v1`, `https://api.anthropic.com/v1`',
      doc: 'Address of the server.',
    }),
    'model.name': optional(text('the name of a model'), {
      unset: 'no model is used',
      doc: 'Name of the model, as its server has it. `hermes model list` shows them.',
    }),
    'model.api_key_env': optional(variableName(), {
      unset: '`OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, as the provider has it',
      doc: 'Name of the variable that holds the key.',
    }),
    'model.context_tokens': optional(integer(1024, 100_000_000, 'tokens'), {
      unset: '128000',
      doc: 'How much the model can read at once. Conversations are shortened before they reach it.',
    }),
    'model.max_output_tokens': optional(integer(1, 10_000_000, 'tokens'), {
      unset: 'as the server has it',
      doc: 'How long one answer may be.',
    }),
    'model.timeout': setting(integer(1, 290, 'seconds'), {
      default: 240,
      doc: 'How long the server may be silent, before its answer and in the middle of it.',
    }),
    'model.input_price': optional(price, {
      unset: 'costs are not counted',
      doc: 'Price of a million tokens that the model reads.',
    }),
    'model.output_price': optional(price, {
      unset: 'costs are not counted',
      doc: 'Price of a million tokens that the model writes.',
    }),
  },
});
