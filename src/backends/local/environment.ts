// What of the gateway's environment a local command gets to see: an allowlist, so that no secret leaks by default (P7).

const NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TERM',
  'TMPDIR',
  'SHELL',
]);

export function scrubEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  passthrough: readonly string[],
): Record<string, string> {
  const passed = new Set(passthrough);
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (NAMES.has(name) || name.startsWith('LC_') || passed.has(name)) kept[name] = value;
  }
  return kept;
}
