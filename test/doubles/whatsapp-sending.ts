// What a business may send, as the Cloud API judges it: who it goes to, what it is, and how long each part may be.
import { z } from 'zod';
import type { Refusal } from './whatsapp-faults.ts';
import { readFormatting } from './whatsapp-format.ts';

export interface SentButton {
  readonly label: string;
  readonly data: string;
}

/** A message of the business as people see it. */
export interface SentMessage {
  readonly id: string;
  readonly chat: string;
  readonly recipientType: string;
  readonly type: string;
  readonly text: string;
  readonly entities: readonly { readonly type: string; readonly text: string }[];
  readonly buttons: readonly SentButton[];
  readonly file?: { readonly name: string; readonly bytes: Uint8Array; readonly mime: string };
  /** The message that it answers. */
  readonly replyTo?: string;
  readonly template?: { readonly name: string; readonly language: string };
  readonly previewUrl?: boolean;
}

export interface Upload {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

const text = (most: number) => z.string().min(1).max(most);
const caption = { id: z.string(), caption: z.string().max(1024).optional() };
const reply = z.strictObject({ id: text(256), title: text(20) });
const rowShape = z.strictObject({
  id: text(200),
  title: text(24),
  description: z.string().max(72).optional(),
});

const contentShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.strictObject({ body: text(4096), preview_url: z.boolean().optional() }),
  }),
  z.object({ type: z.literal('image'), image: z.strictObject(caption) }),
  z.object({ type: z.literal('video'), video: z.strictObject(caption) }),
  z.object({ type: z.literal('audio'), audio: z.strictObject({ id: z.string() }) }),
  z.object({
    type: z.literal('document'),
    document: z.strictObject({ ...caption, filename: z.string().max(240) }),
  }),
  z.object({
    type: z.literal('interactive'),
    interactive: z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('button'),
        body: z.strictObject({ text: text(1024) }),
        action: z.strictObject({
          buttons: z
            .array(z.strictObject({ type: z.literal('reply'), reply }))
            .min(1)
            .max(3),
        }),
      }),
      z.strictObject({
        type: z.literal('list'),
        body: z.strictObject({ text: text(4096) }),
        action: z.strictObject({
          button: text(20),
          sections: z.tuple([z.strictObject({ rows: z.array(rowShape).min(1).max(10) })]),
        }),
      }),
    ]),
  }),
  z.object({
    type: z.literal('template'),
    template: z.strictObject({
      name: z.string(),
      language: z.strictObject({ code: z.string() }),
      components: z.tuple([
        z.strictObject({
          type: z.literal('body'),
          parameters: z.tuple([
            z.strictObject({
              type: z.literal('text'),
              text: z
                .string()
                .min(1)
                .max(1024)
                .regex(/^(?!.*( {5}|[\n\t]))/s),
            }),
          ]),
        }),
      ]),
    }),
  }),
]);

const envelopeShape = z.object({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual', 'group']),
  to: z.string().optional(),
  recipient: z.string().optional(),
  context: z.strictObject({ message_id: z.string() }).optional(),
});

type Content = z.infer<typeof contentShape>;

export function readSending(
  body: unknown,
  id: string,
  uploads: ReadonlyMap<string, Upload>,
): SentMessage | Refusal {
  const envelope = envelopeShape.safeParse(body);
  const content = contentShape.safeParse(body);
  if (!envelope.success || !content.success) {
    const issues = [...(envelope.error?.issues ?? []), ...(content.error?.issues ?? [])];
    return invalid(issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
  const { to, recipient, recipient_type, context } = envelope.data;
  const chat = to ?? recipient;
  if (chat === undefined || (to !== undefined && recipient !== undefined)) return invalid('to or recipient');
  if (recipient_type === 'individual' && to !== undefined && !/^\d{7,15}$/.test(to))
    return invalid('to is no number');
  if (recipient_type === 'group' && content.data.type === 'interactive') {
    return { status: 400, code: 131051, details: 'Unsupported message type' };
  }
  const seen = seenOf(content.data, uploads);
  if ('code' in seen) return seen;
  return {
    id,
    chat,
    recipientType: recipient_type,
    type: content.data.type,
    ...seen,
    ...(context ? { replyTo: context.message_id } : {}),
  };
}

type SeenParts = Omit<SentMessage, 'id' | 'chat' | 'recipientType' | 'type'>;

function seenOf(content: Content, uploads: ReadonlyMap<string, Upload>): SeenParts | Refusal {
  const words = (raw: string, buttons: readonly SentButton[] = []): SeenParts => ({
    ...readFormatting(raw),
    buttons,
  });
  switch (content.type) {
    case 'text':
      return { ...words(content.text.body), previewUrl: content.text.preview_url ?? false };
    case 'interactive': {
      const { interactive } = content;
      const buttons =
        interactive.type === 'button'
          ? interactive.action.buttons.map(each => ({ label: each.reply.title, data: each.reply.id }))
          : interactive.action.sections[0].rows.map(row => ({ label: row.title, data: row.id }));
      const labels = new Set(buttons.map(({ label }) => label));
      if (labels.size < buttons.length) return invalid('titles must be unique');
      return words(interactive.body.text, buttons);
    }
    case 'template': {
      const { name, language, components } = content.template;
      const [body] = components;
      return { ...words(body.parameters[0].text), template: { name, language: language.code } };
    }
    case 'audio':
      return media(content.audio.id, '', 'audio', uploads);
    case 'image':
      return media(content.image.id, content.image.caption ?? '', 'image', uploads);
    case 'video':
      return media(content.video.id, content.video.caption ?? '', 'video', uploads);
    case 'document': {
      const { id, caption: under = '', filename } = content.document;
      const seen = media(id, under, 'document', uploads);
      return 'code' in seen || !seen.file ? seen : { ...seen, file: { ...seen.file, name: filename } };
    }
  }
}

function media(
  id: string,
  under: string,
  kind: string,
  uploads: ReadonlyMap<string, Upload>,
): SeenParts | Refusal {
  const file = uploads.get(id);
  if (!file) return invalid(`media ${id} does not exist`);
  const isKind = kind === 'document' || file.mime.startsWith(`${kind}/`);
  if (!isKind) return { status: 400, code: 131053, details: `Unsupported ${kind} mime type ${file.mime}` };
  return { ...readFormatting(under), buttons: [], file };
}

export function invalid(details: string): Refusal {
  return { status: 400, code: 100, details: `(#100) Invalid parameter: ${details}` };
}

const MIB = 1024 * 1024;
const TYPES: readonly (readonly [RegExp, number])[] = [
  [/^image\/(?:jpeg|png)$/, 5 * MIB],
  [/^image\/webp$/, MIB / 2],
  [/^audio\/(?:aac|mp4|mpeg|amr|ogg|opus)$/, 16 * MIB],
  [/^video\/(?:mp4|3gpp)$/, 16 * MIB],
  [
    /^(?:text\/plain|application\/(?:pdf|msword|vnd\.ms-(?:excel|powerpoint)|vnd\.openxmlformats-officedocument\.\w+\.\w+))$/,
    100 * MIB,
  ],
];

export function refusedUpload({ mime, bytes }: Upload): Refusal | undefined {
  const type = TYPES.find(([pattern]) => pattern.test(mime));
  if (!type)
    return invalid(
      `Param file must be a file with one of the following types: … Received file of type '${mime}'.`,
    );
  return bytes.length > type[1] ? invalid('File is too large') : undefined;
}
