// What Telegram's Bot API can do, and its limits.
import type { PlatformCapabilities } from '../platform.ts';

const MIB = 1024 * 1024;

/** Under a file or a photo. */
export const MAX_CAPTION = 1024;
/** Larger images are sent as documents. */
export const MAX_PHOTO = 10 * MIB;
/** What a press of a button can be answered with. */
export const MAX_NOTICE = 200;

export const capabilities: PlatformCapabilities = {
  maxText: 4096,
  edits: true,
  // About 20 messages a minute go to a group; edits count.
  editEveryMs: 3000,
  buttons: true,
  maxButtonData: 64,
  typing: true,
  groups: true,
  threads: true,
  maxFileIn: 20 * MIB,
  maxFileOut: 50 * MIB,
  isPublic: true,
};
