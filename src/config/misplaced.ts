// Where a key belongs that stands in the wrong section.
import type { Settings } from '../base/setting.ts';

/** The setting that was meant: by its last part, where only one has it, or by its variable. */
export function misplaced(path: readonly string[], settings: Settings): string | undefined {
  const last = path.at(-1) ?? '';
  const keys = Object.keys(settings);
  const alike = keys.filter(key => key.split('.').at(-1) === last);
  if (alike.length === 1) return alike[0];
  return keys.find(key => settings[key]?.env === last);
}
