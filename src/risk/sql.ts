// Finds in SQL what destroys data: statements, not words in texts or comments.

/** The statements that drop, empty or change everything. */
export function destructiveStatements(sql: string): string[] {
  const plain = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').replace(/'(?:[^']|'')*'/g, "''");
  return plain
    .split(/;|\\g\b|\bGO\b(?=\s*$)/)
    .map(statement => statement.trim().replace(/\s+/g, ' '))
    .filter(isDestructive);
}

function isDestructive(statement: string): boolean {
  const text = statement.replace(
    /^(?:explain analyze|begin|start transaction|with [\s\S]*?\)\s*(?=delete|update))\s*/i,
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
    /\bcopy\b.*\b(?:from|to)\s+program\b|\bxp_cmdshell\b|\binto\s+(?:outfile|dumpfile)\b|\bload_file\s*\(|\bpg_read_file\s*\(|\blo_import\s*\(/i.test(
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
