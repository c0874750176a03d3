// What stands in the outbox: plain JSON, so that another life of the gateway can send it. Bytes of files lie beside it.
import type { Button, Chat, OutgoingText } from '../platforms/platform.ts';
import { idsIn, type NewOutgoingMessage, type OutgoingMessage } from '../store/outbox.ts';
import { type Address, addressColumns } from './address.ts';

type Buttons = readonly (readonly Button[])[];

/** `isReport`: what Hermes says about its own work; to read it twice does no harm, so it is never marked as a repeat. */
export type OutgoingBody =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly buttons?: Buttons;
      /** Tells of a failed delivery; when it fails itself, only the log says so. */
      readonly isFailureNotice?: true;
      readonly isReport?: true;
    }
  /** A question to an owner; changed when it is settled. */
  | {
      readonly kind: 'card';
      readonly text: string;
      readonly buttons: Buttons;
      readonly approvalId: string;
    }
  /** The beginning of an answer that is still being written; an `edit` makes it whole. */
  | { readonly kind: 'live'; readonly text: string; readonly isReport?: true }
  /** Changes what the row `target` has sent. Doing it twice shows once, so it is never a repeat. */
  | {
      readonly kind: 'edit';
      readonly target: number;
      readonly text: string;
      readonly isReport?: true;
    }
  | {
      readonly kind: 'file';
      readonly name: string;
      /** Of the bytes, in the folder of the outbox. */
      readonly file: string;
      readonly caption?: string;
    };

/** As it is written; the file is put aside first. */
export type NewBody =
  | Exclude<OutgoingBody, { kind: 'file' }>
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly bytes: Uint8Array;
      readonly caption?: string;
    };

type Stored = OutgoingBody & { readonly chatKind: Chat['kind'] };

export interface Recipient {
  readonly address: Address;
  /** On whose behalf. */
  readonly sessionId: string;
  readonly runId?: string;
}

export function rowFor({ address, sessionId, runId }: Recipient, body: OutgoingBody): NewOutgoingMessage {
  return {
    sessionId,
    ...(runId === undefined ? {} : { runId }),
    ...addressColumns(address),
    body: storedBody(address, body),
  };
}

/** What a row says; where it goes stands in its columns. */
export function storedBody({ chat }: Address, body: OutgoingBody): unknown {
  const stored: Stored = { ...body, chatKind: chat.kind };
  return stored;
}

/** Of a damaged one nothing is left. */
export function bodyOf(row: OutgoingMessage): OutgoingBody {
  return isReadable(row) ? (row.body as Stored) : { kind: 'text', text: '' }; // as `rowFor` wrote it
}

/** Whether it still is what `rowFor` wrote; a disk or a hand may have damaged it. */
export function isReadable(row: Pick<OutgoingMessage, 'body'>): boolean {
  const body = row.body as Partial<Stored> | null | undefined; // checked here
  return typeof body === 'object' && body !== null && typeof body.kind === 'string';
}

export function chatOf(row: OutgoingMessage): Chat {
  const { chatKind = 'private' } = (row.body ?? {}) as Partial<Stored>; // as `rowFor` wrote it, or damaged
  return { id: row.chat, kind: chatKind, ...(row.thread === null ? {} : { thread: row.thread }) };
}

/** The platform's ids of what the row has sent; while it waits, of those of its parts that have arrived. */
export function sentIdsOf({ sentId }: Pick<OutgoingMessage, 'sentId'>): readonly string[] {
  return idsIn(sentId);
}

const REPEATED = '(repeated)';

/** The text as it is sent; an answer is marked when a crash or a cut connection fell into its sending, so that it may have arrived (P12). */
export function textOf(
  body: Exclude<OutgoingBody, { kind: 'file' }>,
  row: Pick<OutgoingMessage, 'interrupted' | 'sentId'>,
): OutgoingText {
  const { interrupted } = row;
  const sentIds = sentIdsOf(row);
  return {
    text: body.text,
    ...('buttons' in body && body.buttons ? { buttons: body.buttons } : {}),
    ...(sentIds.length > 0 ? { sentIds } : {}),
    ...(interrupted > 0 && !isReport(body) ? { mark: REPEATED } : {}),
  };
}

function isReport(body: OutgoingBody): boolean {
  return 'isReport' in body && body.isReport === true;
}

export function captionOf(
  { caption }: { readonly caption?: string },
  { interrupted }: OutgoingMessage,
): { caption?: string } {
  const text = interrupted === 0 ? caption : [REPEATED, caption].filter(Boolean).join(' ');
  return text === undefined ? {} : { caption: text };
}
