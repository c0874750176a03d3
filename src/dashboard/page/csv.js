// The audit as a table for other programs. Pure.

const COLUMNS = /** @type {const} */ ([
  'seq',
  'at',
  'actor',
  'sessionId',
  'sandboxId',
  'action',
  'subject',
  'outcome',
]);

/** @param {readonly any[]} entries */
export function csvOf(entries) {
  const lines = entries.map(entry =>
    COLUMNS.map(key => cell(key === 'at' ? new Date(entry.at).toISOString() : entry[key])).join(','),
  );
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/** What a spreadsheet would take for a formula is made text. @param {unknown} value */
function cell(value) {
  const text = String(value ?? '');
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
