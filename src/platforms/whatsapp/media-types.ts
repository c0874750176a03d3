// As what a file is sent: WhatsApp takes a short list of types only, and shows some of them instead of offering them. Pure.

export type MediaKind = 'image' | 'video' | 'audio' | 'document';

export interface MediaType {
  readonly kind: MediaKind;
  readonly mime: string;
}

const MIB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** What is none of the list goes as a document that is said to be text: its name tells what it is. */
export const ANY_FILE: MediaType = { kind: 'document', mime: 'text/plain' };

const MOST: Readonly<Record<MediaKind, number>> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
};

const TYPES: Readonly<Record<string, MediaType>> = {
  jpg: { kind: 'image', mime: 'image/jpeg' },
  jpeg: { kind: 'image', mime: 'image/jpeg' },
  png: { kind: 'image', mime: 'image/png' },
  mp4: { kind: 'video', mime: 'video/mp4' },
  '3gp': { kind: 'video', mime: 'video/3gpp' },
  mp3: { kind: 'audio', mime: 'audio/mpeg' },
  m4a: { kind: 'audio', mime: 'audio/mp4' },
  aac: { kind: 'audio', mime: 'audio/aac' },
  amr: { kind: 'audio', mime: 'audio/amr' },
  ogg: { kind: 'audio', mime: 'audio/ogg' },
  pdf: { kind: 'document', mime: 'application/pdf' },
  doc: { kind: 'document', mime: 'application/msword' },
  docx: { kind: 'document', mime: `${OFFICE}.wordprocessingml.document` },
  xls: { kind: 'document', mime: 'application/vnd.ms-excel' },
  xlsx: { kind: 'document', mime: `${OFFICE}.spreadsheetml.sheet` },
  ppt: { kind: 'document', mime: 'application/vnd.ms-powerpoint' },
  pptx: { kind: 'document', mime: `${OFFICE}.presentationml.presentation` },
};

export function mediaTypeOf(name: string, size: number): MediaType {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
  return type && size <= MOST[type.kind] ? type : ANY_FILE;
}
