// A text as what Slack is sent: sections within the limits of Block Kit, or a plain text where there is too much for them.
// Pure.
import type { Button, OutgoingText } from '../platform.ts';
import { splitText } from '../split-text.ts';
import {
  MAX_BLOCKS,
  MAX_BLOCKS_TEXT,
  MAX_BUTTON_LABEL,
  MAX_BUTTONS_IN_ROW,
  MAX_PLAIN,
  MAX_SECTION,
} from './capabilities.ts';
import { ACTION } from './parse.ts';
import { escapeMrkdwn, renderMrkdwn } from './render.ts';

type Buttons = NonNullable<OutgoingText['buttons']>;

/** One message. */
export interface Body {
  /** All of it, but for buttons. Cards name the commands that do the same. */
  readonly whole: string;
  /** The same; none where it is too much for them. */
  readonly blocks: readonly object[];
}

/**
 * A first cut of markdown for a section, before it is known how long it becomes. Never more is read at once: marks without
 * an end cost time by the square of the length.
 */
const SECTION_MARKDOWN = 2600;

function rendered(markdown: string): string {
  return renderMrkdwn(markdown) ?? escapeMrkdwn(markdown);
}

/** Pieces of markdown, rendered, each of at most `most` characters. */
function cut(markdown: string, most: number): readonly string[] {
  const text = rendered(markdown);
  if (text.length <= most || markdown.length <= 1) return [text];
  const length = Math.max(
    1,
    Math.min(markdown.length - 1, Math.floor((markdown.length * most) / text.length / 1.1)),
  );
  const parts = splitText(markdown, length);
  // What cannot be split further is cut as it is; nothing is that long.
  if (parts.length <= 1) return splitText(text, most);
  return parts.flatMap(part => cut(part, most));
}

/** Each is one section; code that is cut is code in both. */
function sectionsOf(markdown: string): readonly string[] {
  return splitText(markdown, SECTION_MARKDOWN).flatMap(part => cut(part, MAX_SECTION));
}

/** One where possible: what is too much for blocks is a plain text, unless there are buttons, which need them. */
export function bodiesOf(markdown: string, buttons: Buttons = []): readonly Body[] {
  const sections = sectionsOf(markdown);
  const pages = paged(sections, actionsOf(buttons));
  return pages.length <= 1 || buttons.length > 0 ? pages : packed(sections);
}

/** As many as fit into one text. */
function packed(pieces: readonly string[]): readonly Body[] {
  const texts: string[] = [];
  for (const piece of pieces) {
    const last = texts.at(-1);
    const longer = last === undefined ? piece : joined([last, piece]);
    if (last === undefined || longer.length > MAX_PLAIN) texts.push(piece);
    else texts[texts.length - 1] = longer;
  }
  return texts.map(whole => ({ whole, blocks: [] }));
}

/** Code that was cut stands close together. */
function joined(pieces: readonly string[]): string {
  return pieces.reduce((text, piece) => {
    const seam = piece.startsWith('```') || text.endsWith('```') ? '\n' : '\n\n';
    return text + seam + piece;
  });
}

/** Messages of blocks, filled one after the other: what comes later changes nothing of those before. */
export function pagesOf(markdown: string, buttons: Buttons = []): readonly Body[] {
  return paged(sectionsOf(markdown), actionsOf(buttons));
}

function paged(all: readonly string[], rows: readonly object[]): readonly Body[] {
  const pages: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const section of all) {
    const page = pages.at(-1);
    const isFull = size + section.length > MAX_BLOCKS_TEXT || (page?.length ?? 0) >= MAX_BLOCKS - rows.length;
    if (isFull || !page) pages.push([section]);
    else page.push(section);
    size = isFull ? section.length : size + section.length;
  }
  return pages.map((sections, at) => ({
    whole: joined(sections),
    blocks: [...sections.map(section), ...(at === pages.length - 1 ? rows : [])],
  }));
}

/** `verbatim`: Slack finds no mentions, channels and addresses in it by itself. */
function section(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function actionsOf(buttons: Buttons): readonly object[] {
  return buttons
    .flatMap(row => chunks(row, MAX_BUTTONS_IN_ROW))
    .map((row, at) => ({
      type: 'actions',
      elements: row.map(({ label, data }, column) => ({
        type: 'button',
        action_id: `${ACTION}-${at}-${column}`,
        text: { type: 'plain_text', text: labelOf(label), emoji: false },
        value: data,
      })),
    }));
}

function labelOf(label: string): string {
  return label.length <= MAX_BUTTON_LABEL ? label : `${label.slice(0, MAX_BUTTON_LABEL - 1).toWellFormed()}…`;
}

function chunks(row: readonly Button[], most: number): readonly (readonly Button[])[] {
  const made: (readonly Button[])[] = [];
  for (let at = 0; at < row.length; at += most) made.push(row.slice(at, at + most));
  return made;
}
