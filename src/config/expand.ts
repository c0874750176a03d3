// Replaces `${VAR}` in values of config.yaml. `$${VAR}` stands for the text itself.

export interface Expanded {
  readonly value: unknown;
  /** True when a variable was put in: the text is then read as a variable's text would be. */
  readonly changed: boolean;
  /** Variables that are named but not set anywhere. */
  readonly missing: readonly string[];
}

const REFERENCE = /\$(\$)?\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

export function expandVariables(value: unknown, lookUp: (name: string) => string | undefined): Expanded {
  if (Array.isArray(value)) {
    const items = value.map(item => expandVariables(item, lookUp));
    return {
      value: items.map(item => item.value),
      changed: false,
      missing: items.flatMap(item => item.missing),
    };
  }
  if (typeof value !== 'string') return { value, changed: false, missing: [] };
  const missing: string[] = [];
  let changed = false;
  const text = value.replace(REFERENCE, (whole, escaped: string | undefined, name: string) => {
    if (escaped) return whole.slice(1);
    const found = lookUp(name);
    if (found === undefined) missing.push(name);
    changed = true;
    return found ?? '';
  });
  return { value: text, changed, missing };
}
