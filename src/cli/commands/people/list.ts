// hermes people list: whom somebody has let in or kept out, and whom the configuration lets in.

import type { HermesConfig } from '../../../compose.ts';
import { personOf } from '../../../gateway/person-name.ts';
import { platformNames } from '../../../platforms/index.generated.ts';
import type { Person } from '../../../store/people.ts';
import { defineCommand, type Look } from '../../command.ts';
import { renderTable, wrapText } from '../../table.ts';
import { withState } from '../installation.ts';
import { ageText, plainLine, shortened } from '../wording.ts';

interface ConfiguredPeople {
  readonly setting: string;
  readonly people: readonly string[];
}

interface Listed {
  readonly now: number;
  readonly people: readonly Person[];
  readonly configured: readonly ConfiguredPeople[];
  /** The settings that let everybody in. */
  readonly everybody: readonly string[];
}

export const peopleList = defineCommand({
  doc: 'Lists the people that somebody has decided about, and those that the configuration lets in. Everybody else is a stranger.',
  flags: {},
  args: [],
  examples: [
    ['people list', 'who may talk to the agent'],
    ['people list --json', 'for programs'],
  ],
  run: (_input, context) =>
    withState(context, async ({ config, world }): Promise<Listed> => {
      const sources = ['gateway', ...platformNames] as const;
      return {
        now: context.clock.now(),
        people: (await world?.store.people.list()) ?? [],
        configured: configuredPeople(config, sources),
        everybody: sources.map(source => `${source}.allow_all_users` as const).filter(key => config.get(key)),
      };
    }),
  render,
});

function configuredPeople(
  config: HermesConfig,
  sources: readonly ('gateway' | (typeof platformNames)[number])[],
): ConfiguredPeople[] {
  return sources
    .map(source => `${source}.allowed_users` as const)
    .map(setting => ({ setting, people: config.get(setting) }))
    .filter(({ people }) => people.length > 0);
}

function render({ now, people, configured, everybody }: Listed, look: Look): string {
  const rows = people.map(person => [
    shortened(personOf(person), 40),
    shortened(person.name ?? '', 24),
    person.standing === 'denied' ? look.colors.red('denied') : person.role,
    shortened(person.decidedBy, 24),
    ageText(person.decidedAt, now),
  ]);
  return [
    rows.length === 0
      ? 'Nobody has been let in or kept out yet.'
      : renderTable(['person', 'name', 'role', 'decided by', 'ago'], rows, look),
    ...configured.map(each => wrapText(`${each.setting}: ${each.people.map(plainLine).join(', ')}`, look)),
    ...everybody.map(key =>
      wrapText(look.colors.yellow(`${key} is true: everybody there may use the agent.`), look),
    ),
  ].join('\n');
}
