// What `\n`, `\x41` and their kin stand for in `echo -e`, `printf` and the literals of most languages.

export function unescaped(text: string): string {
  const plain: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    r: '\r',
    a: '',
    b: '',
    f: '',
    v: '',
    '\\': '\\',
    '"': '"',
    "'": "'",
  };
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([ntrabfv\\"']))/g,
    (all, hex, unicode, octal, letter) => {
      if (letter !== undefined) return plain[letter] ?? all;
      const code = hex ?? unicode;
      return String.fromCharCode(code === undefined ? Number.parseInt(octal, 8) : Number.parseInt(code, 16));
    },
  );
}
