// What Discord lets a bot do, and its limits.
import type { PlatformCapabilities } from '../platform.ts';

const MIB = 1024 * 1024;

export const capabilities: PlatformCapabilities = {
  maxText: 2000,
  edits: true,
  // Five messages or edits in five seconds go to a channel.
  editEveryMs: 1500,
  buttons: true,
  maxButtonData: 100,
  typing: true,
  groups: true,
  threads: true,
  // People may send more; this is ours, since files are held in memory.
  maxFileIn: 25 * MIB,
  // Without boosts of the server, and in private.
  maxFileOut: 10 * MIB,
  isPublic: true,
};
