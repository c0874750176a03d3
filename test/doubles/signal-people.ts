// People on Signal as the daemon tells of them: what they write, react and send, in its own shapes.

export interface SignalPerson {
  /** Absent = the daemon knows the number only. */
  readonly uuid?: string;
  /** Absent = they do not show it. */
  readonly number?: string;
  readonly name?: string;
}

export interface SignalFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

export interface SignalSayOptions {
  /** Absent = in private. */
  readonly group?: string;
  readonly file?: SignalFile;
  /** Begins with a mention of these. */
  readonly mentions?: readonly SignalPerson[];
  /** Quotes a message of this person. */
  readonly quotes?: SignalPerson;
  /** The timestamp of an earlier message: this is an edit of it. */
  readonly edits?: number;
  readonly timestamp?: number;
  /** More of the message, as it is. */
  readonly more?: Readonly<Record<string, unknown>>;
}

type Shape = Readonly<Record<string, unknown>>;

/** How Signal marks the place of a mention. */
const PLACE = '\uFFFC';

export function envelopeOf({ uuid, number, name }: SignalPerson, timestamp: number, content: Shape): Shape {
  return {
    source: number ?? uuid ?? null,
    sourceNumber: number ?? null,
    sourceUuid: uuid ?? null,
    sourceName: name ?? '',
    sourceDevice: 1,
    timestamp,
    serverReceivedTimestamp: timestamp,
    serverDeliveredTimestamp: timestamp,
    ...content,
  };
}

export interface MessageParts extends SignalSayOptions {
  readonly text: string;
  readonly timestamp: number;
  readonly attachmentId?: string;
}

export function messageOf({ text, timestamp, attachmentId, ...options }: MessageParts): Shape {
  const { group, file, mentions = [], quotes, more = {} } = options;
  const head = mentions.map(() => `${PLACE} `).join('');
  return {
    timestamp,
    message: text === '' && mentions.length === 0 ? null : head + text,
    expiresInSeconds: 0,
    isExpirationUpdate: false,
    viewOnce: false,
    ...(mentions.length > 0
      ? { mentions: mentions.map((person, at) => ({ ...addressFields(person), start: 2 * at, length: 1 })) }
      : {}),
    ...(quotes
      ? { quote: { id: 1, ...authorFields('author', quotes), text: 'before', attachments: [] } }
      : {}),
    ...(file && attachmentId !== undefined ? { attachments: [attachmentOf(file, attachmentId)] } : {}),
    ...(group === undefined
      ? {}
      : { groupInfo: { groupId: group, groupName: 'A group', revision: 1, type: 'DELIVER' } }),
    ...more,
  };
}

function attachmentOf({ name, bytes, contentType }: SignalFile, id: string): Shape {
  return {
    contentType: contentType ?? 'application/octet-stream',
    filename: name === '' ? null : name,
    id,
    size: bytes.length,
    width: null,
    height: null,
    caption: null,
    uploadTimestamp: 1,
  };
}

function addressFields({ uuid, number }: SignalPerson): Shape {
  return { name: number ?? uuid ?? null, number: number ?? null, uuid: uuid ?? null };
}

/** The three ways in which the daemon names somebody, such as `targetAuthorUuid`. */
export function authorFields(name: string, { uuid, number }: SignalPerson): Shape {
  return { [name]: number ?? uuid ?? null, [`${name}Number`]: number ?? null, [`${name}Uuid`]: uuid ?? null };
}
