// What Slack can do, and its limits.
import type { PlatformCapabilities } from '../platform.ts';

const MIB = 1024 * 1024;

/** Of the text of one section. */
export const MAX_SECTION = 3000;
/** Of all blocks of one message together; Slack documents none, and refuses somewhat above 11,000. */
export const MAX_BLOCKS_TEXT = 9000;
export const MAX_BLOCKS = 50;
/** A message without blocks; what is longer Slack cuts off without a word. */
export const MAX_PLAIN = 40_000;
/** The same for a change of a message. */
export const MAX_PLAIN_EDIT = 4000;
export const MAX_BUTTON_LABEL = 75;
export const MAX_BUTTONS_IN_ROW = 25;
/** Above a file; longer ones are messages of their own. */
export const MAX_CAPTION = 3000;
/** What only the person sees who has pressed a button. */
export const MAX_NOTICE = 3000;

export const capabilities: PlatformCapabilities = {
  maxText: 39_000,
  edits: true,
  // About 50 changes a minute in a whole workspace.
  editEveryMs: 3000,
  buttons: true,
  maxButtonData: 2000,
  typing: true,
  groups: true,
  threads: true,
  // Slack takes a gigabyte; they pass through the memory of the gateway.
  maxFileIn: 50 * MIB,
  maxFileOut: 50 * MIB,
  isPublic: false,
};
