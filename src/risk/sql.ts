// Finds in SQL what destroys data: statements, not words in texts or comments.

/** The statements that drop, empty or change everything. */
export function destructiveStatements(sql: string): string[] {
  const plain = sql
    // MySQL runs what stands in such a comment.
    .replace(/\/\*M?!\d*([\s\S]*?)\*\//g, ' $1 ')
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''");
  const built = [...sql.matchAll(/\b(?:execute(?:\s+immediate)?|prepare\s+\w+\s+from)\s+'((?:[^']|'')*)'/gi)];
  return [plain, ...built.map(match => match[1] ?? '')]
    .flatMap(text => text.split(/;|\\g\b|\bGO\b(?=\s*$)/))
    .map(statement => statement.trim().replace(/\s+/g, ' '))
    .filter(isDestructive);
}

function isDestructive(statement: string): boolean {
  return [statement, ...withParts(statement)].some(isDestructiveAlone);
}

const MAX_PARTS = 20;

/** What stands in the brackets of `with x as (delete …)`. */
function withParts(statement: string): string[] {
  if (!/^with\b/i.test(statement)) return [];
  return [...statement.matchAll(/\bas\s*(?:not\s+)?(?:materialized\s*)?\(\s*(?=(?:delete|update)\b)/gi)]
    .slice(0, MAX_PARTS)
    .map(match => bracketed(statement, match.index + match[0].length));
}

function bracketed(text: string, start: number): string {
  let level = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') level++;
    else if (text[at] === ')' && --level === 0) return text.slice(start, at);
  }
  return text.slice(start);
}

function isDestructiveAlone(statement: string): boolean {
  const text = statement.replace(
    /^(?:explain analyze|do \$\w*\$(?:\s*declare\b.*)?\s*begin|begin|start transaction|with [\s\S]*?\)\s*(?=delete|update))\s*/i,
    '',
  );
  if (
    /^drop\s+(?:table|database|schema|view|materialized|index|column|user|role|keyspace|collection|trigger|function|procedure|type|sequence|extension|tablespace|owned|measurement|retention|series)\b/i.test(
      text,
    )
  )
    return true;
  if (/^truncate\b/i.test(text)) return true;
  if (/^alter\s+table\b.*\b(?:drop|truncate)\b/i.test(text)) return true;
  if (/^(?:revoke|grant)\s+all\b|^alter\s+(?:user|role)\b|^create\s+(?:user|role)\b.*superuser/i.test(text))
    return true;
  if (/^delete\s+(?:from\b|\w+\s+from\b|top)/i.test(text)) return !isNarrowed(text);
  if (/^update\s+[\s\S]*?\bset\b/i.test(text)) return !isNarrowed(text);
  return (
    /\b(?:from|to)\s+program\b|\bxp_cmdshell\b|\binto\s+(?:outfile|dumpfile)\b|\bload_file\s*\(|\bpg_read_file\s*\(|\blo_import\s*\(/i.test(
      text,
    ) || /^(?:select\b.*)?pg_terminate_backend|^shutdown\b/i.test(text)
  );
}

/** Has a condition that is not always true. */
function isNarrowed(text: string): boolean {
  const condition = /\bwhere\b(.*)$/is.exec(text)?.[1]?.trim() ?? /\blimit\s+\d+/i.exec(text)?.[0];
  if (condition === undefined || condition === '') return false;
  return (
    !/^\(?\s*(?:(\w+)\s*=\s*\1|true|1|not false|1\s*<>\s*0|''\s*=\s*'')\s*\)?$/i.test(condition) &&
    !/\bor\s+(?:(\w+)\s*=\s*\1|true)\s*$/i.test(condition)
  );
}
