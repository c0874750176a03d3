// What Signal can do through a signal-cli daemon, and its limits.
import type { PlatformCapabilities } from '../platform.ts';

const MIB = 1024 * 1024;

export const capabilities: PlatformCapabilities = {
  maxText: 8000,
  // People would be notified of each one, and older apps show none.
  edits: false,
  editEveryMs: 0,
  // Reactions to the message: what each one means stands under it.
  buttons: true,
  maxButtonData: 256,
  typing: true,
  groups: true,
  threads: false,
  maxFileIn: 100 * MIB,
  maxFileOut: 100 * MIB,
  // Whoever knows the number can write to it.
  isPublic: true,
};
