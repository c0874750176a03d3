// The settings of the audit.
import { fieldsOf, listOf, text } from '../base/kinds.ts';
import { defineSection, setting } from '../base/setting.ts';

export const section = defineSection({
  title: 'Security audit',
  doc: 'What `hermes security audit` looks for and you have decided to live with.',
  settings: {
    'security.audit_ignore': setting(listOf(fieldsOf({ id: text(), reason: text() })), {
      default: [],
      doc: 'Checks of the audit whose findings are accepted, each with the reason. They are listed apart and do not fail it.',
    }),
  },
});
