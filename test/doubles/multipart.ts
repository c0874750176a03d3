// Reads a multipart/form-data body; names of files may stand without quotes, as grammY writes them.

export interface FormFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** By the name of the part. */
  readonly files: Readonly<Record<string, FormFile>>;
}

export function readForm(body: Buffer, contentType: string): Form {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1];
  if (boundary === undefined) throw new Error(`no boundary in ${contentType}`);
  const fields: Record<string, string> = {};
  const files: Record<string, FormFile> = {};
  const mark = Buffer.from(`--${boundary}`);
  let at = body.indexOf(mark);
  while (at !== -1) {
    const start = at + mark.length + 2;
    const next = body.indexOf(mark, start);
    if (next === -1) break;
    const split = body.indexOf('\r\n\r\n', start);
    const head = body.subarray(start, split).toString('utf8');
    const content = body.subarray(split + 4, next - 2);
    const name = /\bname="([^"]*)"/.exec(head)?.[1] ?? '';
    const fileName = /filename="?([^"\r\n]*)"?/.exec(head)?.[1];
    if (fileName === undefined) fields[name] = content.toString('utf8');
    else files[name] = { name: fileName, bytes: Uint8Array.from(content) };
    at = next;
  }
  return { fields, files };
}
