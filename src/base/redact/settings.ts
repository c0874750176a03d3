// The settings of redaction.
import { flag } from '../kinds.ts';
import { defineSection, setting } from '../setting.ts';

export const section = defineSection({
  title: 'Security',
  doc: 'What is hidden wherever something leaves Hermes.',
  settings: {
    'security.redact_secrets': setting(flag(), {
      default: true,
      doc: 'Hide what looks like a secret. Values of `.env` and of secret settings are hidden in any case.',
    }),
  },
});
