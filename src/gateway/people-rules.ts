// What the configuration says about the people of a platform, and what the operator is warned of at every start.
import type { PlatformCapabilities } from '../platforms/platform.ts';
import { variablePrefix } from '../platforms/plugin.ts';
import type { PeopleRules } from './authorise.ts';

export interface PlatformPeople extends PeopleRules {
  /** What a stranger's private message gets: a pairing code, or nothing. */
  readonly strangers: 'pair' | 'ignore';
}

interface Settings {
  get(key: string): unknown;
  /** Absent = every platform that is asked about has its settings. */
  entries?(): readonly { readonly key: string }[];
  variable?(name: string): string | undefined;
}

/** Every platform of ours has these settings: platforms/people-settings.ts. One of a plugin has the variables alone. */
export function platformPeople(config: Settings, platform: string): PlatformPeople {
  // The kinds of the settings are those of their declarations.
  const get = <T>(key: string): T => config.get(key) as T;
  const everywhere = {
    allowAllEverywhere: get<boolean>('gateway.allow_all_users'),
    allowedEverywhere: get<readonly string[]>('gateway.allowed_users'),
  };
  const strangers = get<'pair' | 'ignore'>('unauthorized_dm_behavior');
  const hasSettings = config.entries?.().some(({ key }) => key === `${platform}.allowed_users`) ?? true;
  if (!hasSettings) return { ...everywhere, ...peopleOfPlugin(config, platform), strangers };
  return {
    ...everywhere,
    allowAll: get<boolean>(`${platform}.allow_all_users`),
    allowed: get<readonly string[]>(`${platform}.allowed_users`),
    strangers: get<'pair' | 'ignore' | undefined>(`${platform}.unauthorized_dm_behavior`) ?? strangers,
  };
}

/** Named as those of the other platforms are. */
function peopleOfPlugin(
  { variable }: Settings,
  platform: string,
): Pick<PlatformPeople, 'allowAll' | 'allowed'> {
  const prefix = variablePrefix(platform);
  const names = variable?.(`${prefix}ALLOWED_USERS`) ?? '';
  return {
    allowAll: variable?.(`${prefix}ALLOW_ALL_USERS`)?.trim().toLowerCase() === 'true',
    allowed: names.split(',').flatMap(name => name.trim() || []),
  };
}

interface NamedPlatform {
  readonly name: string;
  readonly capabilities: Pick<PlatformCapabilities, 'isPublic'>;
}

/** To be shown at every start, until it is changed. */
export function peopleWarnings(config: Settings, platforms: readonly NamedPlatform[]): readonly string[] {
  return [...everybodyWarnings(config, platforms), ...bareIdWarnings(config, platforms)];
}

function bareIdWarnings(config: Settings, platforms: readonly NamedPlatform[]): readonly string[] {
  const [{ name = 'telegram' } = {}] = platforms;
  const listed = platformPeople(config, name).allowedEverywhere;
  const bare = listed.filter(entry => !entry.includes(':'));
  const [first] = bare;
  if (first === undefined) return [];
  const written = platforms.map(platform => `${platform.name}:${first}`);
  return [
    `gateway.allowed_users lets in nobody by ${bare.join(', ')}: an id belongs to one platform. Write ${written.join(', or ') || `${name}:${first}`}; or put it into ${name}.allowed_users.`,
  ];
}

function everybodyWarnings(config: Settings, platforms: readonly NamedPlatform[]): readonly string[] {
  return platforms.flatMap(({ name, capabilities: { isPublic } }) => {
    const { allowAll, allowAllEverywhere } = platformPeople(config, name);
    if (!isPublic || !(allowAll || allowAllEverywhere)) return [];
    const key = allowAll ? `${name}.allow_all_users` : 'gateway.allow_all_users';
    return [
      `Everybody on ${name} may use the agent, strangers too, because ${key} is true. Turn it off, and name people: hermes people allow ${name}:ID`,
    ];
  });
}
