// A model sees marks where secrets are. Writing one back would destroy the secret that it stands for.

export function hasMark(text: string): boolean {
  return /\[redacted:[\w-]+\]|\[withheld: /.test(text);
}

export const MARK_REFUSED =
  'Nothing was written: the text holds a [redacted:…] or [withheld: …] mark, which stands for a value that you were not shown and that would be lost. Change the other lines with edit_file, or have a command put the value in.';
