// A sandbox as one call sees it: with its first command it is written down that the call has begun.
import type { CallRef } from '../store/begun-calls.ts';
import type { ToolSandbox } from '../tools/tool.ts';

export function markingSandbox(sandbox: ToolSandbox, call: CallRef): ToolSandbox {
  return {
    // Another sandbox may take its place while the call lasts.
    get sandboxId() {
      return sandbox.sandboxId;
    },
    get handle() {
      return sandbox.handle;
    },
    exec: (command, options) => sandbox.exec(command, { ...options, call }),
    start: (command, options) => sandbox.start(command, { ...options, call }),
    takeNotices: () => sandbox.takeNotices?.() ?? [],
  };
}
