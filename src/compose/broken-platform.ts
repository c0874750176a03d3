// In the place of a platform that cannot be made: it says why when it is to connect, and the others serve.
import type { HermesError } from '../base/errors.ts';
import type { Platform } from '../platforms/platform.ts';

export function brokenPlatform(name: string, error: HermesError): Platform {
  return {
    name,
    capabilities: {
      maxText: 0,
      edits: false,
      editEveryMs: 0,
      buttons: false,
      maxButtonData: 0,
      typing: false,
      groups: false,
      threads: false,
      maxFileIn: 0,
      maxFileOut: 0,
      isPublic: false,
    },
    async connect() {
      throw error;
    },
  };
}
