// What a message is on the wire: a text, a text with buttons or with a list, a file, a template. Pure.
import type { Button, Chat } from '../platform.ts';
import {
  capabilities,
  MAX_BUTTON_LABEL,
  MAX_BUTTON_TEXT,
  MAX_BUTTONS,
  MAX_ROW_LABEL,
  MAX_ROW_NOTE,
  MAX_ROWS,
  MAX_TEMPLATE_TEXT,
} from './capabilities.ts';
import { isPhone } from './identity.ts';
import type { MediaKind } from './media-types.ts';
import { renderText } from './render.ts';

export type Content = Readonly<Record<string, unknown>>;

export function shownText(text: string, limit = capabilities.maxText): string {
  return renderText(text, limit) ?? text;
}

/** Where it goes: to a number, to somebody who hides theirs, or to a group. */
export function addressOf({ id, kind }: Chat): Content {
  const common = { messaging_product: 'whatsapp', recipient_type: kind === 'group' ? 'group' : 'individual' };
  return kind === 'group' || isPhone(id) ? { ...common, to: id } : { ...common, recipient: id };
}

/** No preview: WhatsApp would open every address that the agent writes, and so carry data out. */
export function textContent(text: string): Content {
  return { type: 'text', text: { body: shownText(text), preview_url: false } };
}

/** Groups have no buttons; there the commands in the text are the way. Several messages when there are too many. */
export function contentsOf(text: string, buttons: readonly Button[], { kind }: Chat): readonly Content[] {
  if (buttons.length === 0 || kind === 'group') return [textContent(text)];
  const shown = shownText(text);
  const fitsButtons =
    buttons.length <= MAX_BUTTONS &&
    shown.length <= MAX_BUTTON_TEXT &&
    buttons.every(({ label }) => label.length <= MAX_BUTTON_LABEL);
  if (fitsButtons) return [interactive('button', shown, { buttons: labelled(buttons, replyButton) })];
  const pages = Array.from({ length: Math.ceil(buttons.length / MAX_ROWS) }, (_, at) =>
    buttons.slice(at * MAX_ROWS, (at + 1) * MAX_ROWS),
  );
  return pages.map((rows, at) =>
    interactive('list', at === 0 ? shown : '…', {
      button: 'Choose',
      sections: [{ rows: labelled(rows, row) }],
    }),
  );
}

function interactive(type: 'button' | 'list', body: string, action: Content): Content {
  return { type: 'interactive', interactive: { type, body: { text: body }, action } };
}

/** Labels must differ from each other. */
function labelled(
  buttons: readonly Button[],
  make: (button: Button, label: string) => Content,
): readonly Content[] {
  const taken = new Set<string>();
  return buttons.map(button => {
    const label = button.label.trim() || '…';
    let own = label;
    for (let count = 2; taken.has(own); count++) own = `${count} ${label}`;
    taken.add(own);
    return make(button, own);
  });
}

function replyButton({ data }: Button, label: string): Content {
  return { type: 'reply', reply: { id: data, title: cut(label, MAX_BUTTON_LABEL) } };
}

function row({ data }: Button, label: string): Content {
  const note = label.length > MAX_ROW_LABEL ? { description: cut(label, MAX_ROW_NOTE) } : {};
  return { id: data, title: cut(label, MAX_ROW_LABEL), ...note };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

export interface FilePart {
  readonly kind: MediaKind;
  readonly mediaId: string;
  readonly name: string;
  /** Already as it is shown; sounds have none. */
  readonly caption: string;
}

export function fileContent({ kind, mediaId, name, caption }: FilePart): Content {
  const words = caption === '' || kind === 'audio' ? {} : { caption };
  const named = kind === 'document' ? { filename: fileName(name) } : {};
  return { type: kind, [kind]: { id: mediaId, ...words, ...named } };
}

export function fileName(name: string): string {
  return name.replace(/[\p{Cc}/\\]+/gu, '_').slice(-240) || 'file';
}

export interface Template {
  readonly name: string;
  readonly language: string;
}

/** A variable is one line, without long gaps; `isWhole` says whether all of it fitted. */
export function templateText(text: string): { readonly text: string; readonly isWhole: boolean } {
  const line = text
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(/[\t\p{Cc}]+/gu, ' ')
    .replace(/ {4,}/g, '   ')
    .trim();
  return { text: cut(line, MAX_TEMPLATE_TEXT), isWhole: line.length <= MAX_TEMPLATE_TEXT };
}

export function templateContent({ name, language }: Template, text: string): Content {
  const parameters = [{ type: 'text', text }];
  const components = [{ type: 'body', parameters }];
  return { type: 'template', template: { name, language: { code: language }, components } };
}
