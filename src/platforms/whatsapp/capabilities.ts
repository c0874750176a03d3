// What the Cloud API can do, and its limits.
import type { PlatformCapabilities } from '../platform.ts';

const MIB = 1024 * 1024;

/** Under a picture, a video or a document. */
export const MAX_CAPTION = 1024;
/** Of a message with up to three buttons; one with a list takes a whole text. */
export const MAX_BUTTON_TEXT = 1024;
export const MAX_BUTTONS = 3;
export const MAX_BUTTON_LABEL = 20;
export const MAX_ROWS = 10;
export const MAX_ROW_LABEL = 24;
export const MAX_ROW_NOTE = 72;
/** What the variable of a template is filled with, so that the template's own words fit beside it. */
export const MAX_TEMPLATE_TEXT = 900;

export const capabilities: PlatformCapabilities = {
  // A person may write 65,536; the Cloud API takes less from a business.
  maxText: 4096,
  edits: false,
  editEveryMs: 0,
  buttons: true,
  // A row of a list carries less than a button.
  maxButtonData: 200,
  typing: true,
  groups: true,
  threads: false,
  maxFileIn: 100 * MIB,
  maxFileOut: 100 * MIB,
  isPublic: true,
};
