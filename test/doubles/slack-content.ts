// What a message of the app is, and Slack's rules for it: limits of texts and blocks, and what people see.

import { readMrkdwn, type Shown } from './slack-mrkdwn.ts';
import type { Fields } from './slack-payloads.ts';

export interface SlackButton {
  readonly label: string;
  readonly data: string;
  readonly action: Fields;
}

export interface Content {
  readonly text: string;
  readonly marks: Shown['marks'];
  readonly pings: readonly string[];
  readonly buttons: readonly SlackButton[];
  readonly sections: number;
}

/** A message of the app as people see it now. */
export interface SlackSent extends Content {
  readonly id: string;
  readonly channel: string;
  readonly thread?: string;
  /** Every text it had, the oldest first. */
  readonly versions: readonly string[];
  readonly file?: { readonly id: string; readonly name: string; readonly bytes: Uint8Array };
}

const MAX_TEXT = 40_000;
const MAX_UPDATE_TEXT = 4000;
const MAX_SECTION = 3000;
/** Nowhere documented; where it begins depends on the blocks. */
const MAX_BLOCKS_TEXT = 11_000;
const MAX_BLOCKS = 50;

/** Why Slack would refuse it, or what people see of it. */
export function readContent(method: 'post' | 'update', params: Fields): Content | { readonly error: string } {
  const text = typeof params['text'] === 'string' ? params['text'] : '';
  if (method === 'update' && text.length > MAX_UPDATE_TEXT) return { error: 'msg_too_long' };
  const blocks = (params['blocks'] ?? []) as readonly Fields[]; // parsed from JSON before
  if (blocks.length > 0) return readBlocks(blocks);
  if (text.trim() === '') return { error: 'no_text' };
  // What is longer is cut off, and nobody is told.
  const cut = text.slice(0, MAX_TEXT);
  const shown: Shown =
    String(params['mrkdwn'] ?? 'true') === 'false'
      ? {
          ...readMrkdwn(''),
          text: cut.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
        }
      : readMrkdwn(cut);
  return { ...shown, buttons: [], sections: 0 };
}

function readBlocks(blocks: readonly Fields[]): Content | { readonly error: string } {
  if (blocks.length > MAX_BLOCKS) return { error: 'invalid_blocks' };
  const texts: Shown[] = [];
  const buttons: SlackButton[] = [];
  const actionIds = new Set<unknown>();
  let length = 0;
  for (const block of blocks) {
    if (block['type'] === 'section') {
      const { type, text, verbatim } = block['text'] as Fields; // our own adapter made it
      if (type !== 'mrkdwn' || typeof text !== 'string' || verbatim !== true)
        return { error: 'invalid_blocks' };
      if (text === '' || text.length > MAX_SECTION) return { error: 'invalid_blocks' };
      length += text.length;
      texts.push(readMrkdwn(text));
    } else if (block['type'] === 'actions') {
      const elements = block['elements'] as readonly Fields[]; // as above
      if (elements.length === 0 || elements.length > 25) return { error: 'invalid_blocks' };
      for (const element of elements) {
        const button = readButton(element);
        if (!button || actionIds.has(button.action['action_id'])) return { error: 'invalid_blocks' };
        actionIds.add(button.action['action_id']);
        buttons.push(button);
      }
    } else return { error: 'invalid_blocks' };
  }
  if (length > MAX_BLOCKS_TEXT) return { error: 'msg_blocks_too_long' };
  return {
    text: texts.map(each => each.text).join('\n'),
    marks: texts.flatMap(each => each.marks),
    pings: texts.flatMap(each => each.pings),
    buttons,
    sections: texts.length,
  };
}

function readButton(element: Fields): SlackButton | undefined {
  const { action_id, value } = element;
  const label = (element['text'] as Fields)['text']; // as above
  if (element['type'] !== 'button' || typeof action_id !== 'string' || typeof value !== 'string')
    return undefined;
  if (typeof label !== 'string' || label === '' || label.length > 75 || value.length > 2000) return undefined;
  return { label, data: value, action: { action_id, value, text: element['text'] } };
}
