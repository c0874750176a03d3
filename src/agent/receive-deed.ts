// What a person sends into the sandbox of a session is a deed of theirs: the inbox may lead anywhere by then.
import { inboxPath, receiveFile } from '../sessions/attachments.ts';
import type { Deed } from './deed.ts';

/** Its result is the path in the sandbox. `fetch` is called when the file may be taken in. */
export function receiveDeed(name: string, fetch: () => Promise<Uint8Array>): Deed<ReceivedPath> {
  const path = inboxPath(name);
  return {
    ...{ name: 'attachment', subject: path },
    action: { kind: 'write', path, text: '(a file that the person sent)' },
    async work({ handle }, place) {
      const bytes = await fetch();
      return { path: await receiveFile(handle, { name, bytes, ...place }), size: bytes.length };
    },
  };
}

export interface ReceivedPath {
  readonly path: string;
  readonly size: number;
}
