// hermes config show: the settings in force.
import { HermesError } from '../../../base/errors.ts';
import type { ConfigEntry } from '../../../config/config.ts';
import { nearestName } from '../../../config/nearest.ts';
import { describeOrigin, shortOrigin } from '../../../config/origin.ts';
import { defineCommand } from '../../command.ts';
import { renderTable } from '../../table.ts';

interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  readonly origin: ConfigEntry['origin'];
  /** What other sources say and what does not count, strongest source first. */
  readonly overruled?: readonly { readonly value: unknown; readonly origin: ConfigEntry['origin'] }[];
}

export const configShow = defineCommand({
  doc: 'Shows every setting, or those whose key begins with PREFIX. Secrets are masked.',
  flags: {
    origin: { type: 'switch', doc: 'say where each value comes from' },
    changed: { type: 'switch', doc: 'leave out what is at its default' },
  },
  args: [{ name: 'prefix', doc: 'a key or the beginning of one', optional: true, isSetting: true }],
  examples: [
    ['config show', 'everything'],
    ['config show terminal --origin', 'one section, with origins'],
    ['config show --changed --json', 'what is not default, for programs'],
  ],
  async run({ flags, args }, context) {
    const config = await context.config();
    for (const notice of config.notices) context.note(notice);
    const entries = config.entries();
    // Every key comes from the configuration itself.
    const stated = (key: string) => config.stated(key as Parameters<typeof config.stated>[0]);
    const { prefix } = args;
    const isWanted = ({ key }: ConfigEntry): boolean =>
      prefix === undefined || key === prefix || key.startsWith(`${prefix}.`);
    const wanted = entries.filter(isWanted);
    if (wanted.length === 0) throw noSuchSetting(prefix ?? '', entries);
    const settings: ShownSetting[] = wanted
      .filter(({ origin }) => !flags.changed || origin.from !== 'default')
      .map(({ key, value, origin, setting }) => {
        const shown = { key, value: masked(value, setting.secret), origin };
        const overruled = stated(key)
          .filter(other => describeOrigin(other.origin) !== describeOrigin(origin))
          .map(other => ({ value: masked(other.value, setting.secret), origin: other.origin }));
        return overruled.length > 0 && flags.origin ? { ...shown, overruled } : shown;
      });
    return { settings, withOrigin: flags.origin };
  },
  render({ settings, withOrigin }, look) {
    const { dim } = look.colors;
    const rows = settings.flatMap(({ key, value, origin, overruled = [] }) => {
      const isDefault = origin.from === 'default';
      return [
        [isDefault ? dim(key) : key, textOf(value, dim), ...(withOrigin ? [dim(shortOrigin(origin))] : [])],
        ...overruled.map(other => [
          dim('  overruled'),
          dim(textOf(other.value, dim)),
          dim(shortOrigin(other.origin)),
        ]),
      ];
    });
    const head = ['setting', 'value', ...(withOrigin ? ['origin'] : [])];
    return rows.length === 0 ? 'All settings are defaults.' : renderTable(head, rows, look);
  },
});

function textOf(value: unknown, dim: (text: string) => string): string {
  if (value === undefined) return dim('unset');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function masked(value: unknown, secret: boolean | undefined): unknown {
  return secret && value !== undefined ? '***' : value;
}

function noSuchSetting(prefix: string, entries: readonly ConfigEntry[]): HermesError {
  const nearest = nearestName(
    prefix,
    entries.map(entry => entry.key),
  );
  const hint = nearest ? ` Did you mean ${nearest}?` : ' `hermes config show` lists all.';
  return new HermesError('USAGE_BAD_ARGUMENTS', `There is no setting "${prefix}".${hint}`);
}
