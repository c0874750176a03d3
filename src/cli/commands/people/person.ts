// A person as they are typed, PLATFORM:ID, and changes of what is decided about people beside a gateway that may run.
import { HermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import { nearestName } from '../../../config/nearest.ts';
import { authorise, isUserId } from '../../../gateway/authorise.ts';
import { platformPeople } from '../../../gateway/people-rules.ts';
import { parsePerson } from '../../../gateway/person-name.ts';
import { platformNames } from '../../../platforms/index.generated.ts';
import type { PersonRef } from '../../../store/people.ts';
import type { Store } from '../../../store/store.ts';
import type { CommandContext } from '../../command.ts';
import { openForCommand } from '../installation.ts';
import { tellGateway } from '../tell-gateway.ts';

export const personArgument = {
  name: 'person',
  doc: 'platform and exact id there, such as telegram:123456789',
} as const;

/** Throws USAGE_BAD_ARGUMENTS when it is nobody. */
export function readPerson(typed: string, config: Pick<HermesConfig, 'get' | 'entries'>): PersonRef {
  const person = parsePerson(typed);
  if (!person || !isUserId(person.userId)) {
    throw new HermesError(
      'USAGE_BAD_ARGUMENTS',
      `${JSON.stringify(typed)} is no person. Accepted: PLATFORM:ID, such as telegram:123456789.`,
    );
  }
  const platform = readPlatform(person.platform, config);
  return { platform, userId: readId(typed, { platform, userId: person.userId }, config) };
}

/** As the allowlist of the platform reads it: a phone number has many writings, and one identity. */
function readId(
  typed: string,
  { platform, userId }: PersonRef,
  config: Pick<HermesConfig, 'entries'>,
): string {
  const list = config.entries().find(({ key }) => key === `${platform}.allowed_users`);
  if (!list) return userId;
  const { kind } = list.setting;
  const { data } = kind.schema.safeParse([userId]);
  const [id] = Array.isArray(data) ? data : [];
  if (typeof id === 'string' && isUserId(id)) return id;
  const message = `${JSON.stringify(typed)} is nobody on ${platform}. Accepted there: ${kind.accepts}.`;
  throw new HermesError('USAGE_BAD_ARGUMENTS', message);
}

export function readPlatform(typed: string, config: Pick<HermesConfig, 'get'>): string {
  const known = [...platformNames, ...config.get('gateway.plugins').map(({ name }) => name)];
  if (known.includes(typed)) return typed;
  const nearest = nearestName(typed, known);
  throw new HermesError(
    'USAGE_BAD_ARGUMENTS',
    `There is no platform ${JSON.stringify(typed)}. Known: ${known.join(', ')}.${nearest ? ` Did you mean ${nearest}?` : ''}`,
  );
}

export interface PeopleChange {
  readonly config: HermesConfig;
  readonly store: Store;
}

/** The state is made where there is none. Afterwards a running gateway looks at what has changed. */
export async function changePeople<T>(
  context: CommandContext,
  work: (change: PeopleChange) => Promise<T>,
): Promise<T> {
  const config = await context.config();
  const installation = await openForCommand(config, context);
  try {
    const done = await work({ config, store: installation.world.store });
    await tellGateway(config, { verb: 'people-changed' }, context);
    return done;
  } finally {
    await installation.close();
  }
}

/** Why somebody whom nobody decided about gets in all the same; undefined when they do not. */
export function stillAllowedBy(config: HermesConfig, person: PersonRef): string | undefined {
  const verdict = authorise(person, platformPeople(config, person.platform));
  if (!verdict.allowed) return undefined;
  const what = verdict.because === 'allow-all' ? 'allow_all_users' : 'allowed_users';
  return `${person.platform}.${what} or gateway.${what}`;
}
