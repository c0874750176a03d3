// Where a file lies that is run or trusted: in the work, with the system, or where others may have put it.
import { isUnknown } from '../command.ts';
import { zoneOf } from '../paths.ts';
import type { Judged } from '../rules/rule.ts';

/** Folders of programs that the system, or the user, has installed. */
const INSTALLED =
  /^(?:\/(?:usr\/(?:local\/)?)?s?bin|\/usr\/(?:lib|libexec|games)(?:\/.*)?|\/opt\/(?:homebrew|local)\/bin|\/snap\/bin|\/nix\/store\/.*|\/run\/current-system\/sw\/bin|~\/\.(?:local|cargo|nvm|pyenv|rbenv|asdf|deno|bun|volta|sdkman|krew)(?:\/.*)?\/(?:bin|shims)|~\/go\/bin|~\/bin|\/bin)$/;

export function lies(
  path: string,
  { locate }: Pick<Judged, 'locate'>,
): { readonly inside: boolean; readonly installed: boolean } {
  const located = locate(path);
  const inside = !isUnknown(located) && zoneOf(located) === 'inside';
  return { inside, installed: INSTALLED.test(located.replace(/\/[^/]*$/, '')) };
}
