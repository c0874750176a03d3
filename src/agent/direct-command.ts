// Which messages are commands for the sandbox and not words for the model. Pure.

/** The command, or undefined if the message is an ordinary one. */
export function directCommand(text: string): string | undefined {
  const trimmed = text.trimStart();
  return trimmed.startsWith('!') ? trimmed.slice(1).trim() : undefined;
}
