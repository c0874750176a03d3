// Redaction of plain data: every text in it, at any depth. Names of fields stay: they are ours. Pure (P7).

export function redactData(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(each => redactData(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactData(each, redact)]));
}
