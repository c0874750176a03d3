// Which messages are commands for the sandbox and not words for the model. Pure.

/** The command; undefined when the message is none. */
export function directCommand(text: string): string | undefined {
  const trimmed = text.trimStart();
  return trimmed.startsWith('!') ? trimmed.slice(1).trim() : undefined;
}
