// Which mappings of config.yaml are sections of settings, and are walked into.
import type { Settings } from '../base/setting.ts';

export function hasSettingBelow(settings: Settings, path: readonly string[]): boolean {
  const prefix = `${path.join('.')}.`;
  return Object.keys(settings).some(key => key.startsWith(prefix));
}
