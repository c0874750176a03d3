// The settings of the anthropic provider.
import { text } from '../../base/kinds.ts';
import { defineSection, optional } from '../../base/setting.ts';

export const section = defineSection({
  title: 'Anthropic models',
  doc: 'Anthropic itself, and servers that speak its Messages format.',
  settings: {
    'model.anthropic_api_key': optional(text('a key'), {
      env: 'ANTHROPIC_API_KEY',
      secret: true,
      unset: 'none is sent',
      doc: 'Key for an Anthropic server.',
    }),
  },
});
