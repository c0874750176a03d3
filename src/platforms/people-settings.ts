// The settings that every platform has: who may write to the agent there, and what strangers get.
import { choice, commaListOf, flag, text } from '../base/kinds.ts';
import { optional, type Setting, setting } from '../base/setting.ts';

interface PeopleSettings {
  readonly allowedUsers: Setting<readonly string[]>;
  readonly allowAllUsers: Setting<boolean>;
  readonly unauthorizedDmBehavior: Setting<'pair' | 'ignore' | undefined>;
}

/** `prefix` is how the platform's variables begin, as in TELEGRAM. */
export function peopleSettings(prefix: string): PeopleSettings {
  return {
    allowedUsers: setting(commaListOf(text('identities')), {
      default: [],
      env: `${prefix}_ALLOWED_USERS`,
      doc: 'People who may talk to the agent on this platform.',
    }),
    allowAllUsers: setting(flag(), {
      default: false,
      env: `${prefix}_ALLOW_ALL_USERS`,
      doc: 'Let everybody on this platform talk to the agent. Dangerous.',
    }),
    unauthorizedDmBehavior: optional(choice(['pair', 'ignore']), {
      unset: 'as `unauthorized_dm_behavior`',
      doc: 'What a stranger’s private message gets on this platform.',
    }),
  };
}
