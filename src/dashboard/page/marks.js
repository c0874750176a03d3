// Which parts of a command are marked as dangerous. Pure.

const WORSE = { low: 1, medium: 2, high: 3 };

/**
 * The command in pieces, each with the worst severity that was found for it.
 * @param {string} command @param {readonly { part: string, severity: 'low' | 'medium' | 'high' }[]} findings
 * @returns {{ text: string, severity?: 'low' | 'medium' | 'high' }[]}
 */
export function marksIn(command, findings) {
  /** @type {(undefined | 'low' | 'medium' | 'high')[]} */
  const found = new Array(command.length).fill(undefined);
  for (const { part, severity } of findings) {
    if (part === '') continue;
    for (let at = command.indexOf(part); at >= 0; at = command.indexOf(part, at + part.length))
      for (let nth = at; nth < at + part.length; nth++)
        if (WORSE[severity] > (WORSE[found[nth] ?? ''] ?? 0)) found[nth] = severity;
  }
  /** @type {{ text: string, severity?: 'low' | 'medium' | 'high' }[]} */
  const pieces = [];
  let start = 0;
  for (let at = 1; at <= command.length; at++) {
    if (at < command.length && found[at] === found[start]) continue;
    const severity = found[start];
    pieces.push({ text: command.slice(start, at), ...(severity ? { severity } : {}) });
    start = at;
  }
  return pieces;
}
