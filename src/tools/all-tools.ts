// The tools of a session but for execute_code, which is a part of its own.
import type { Clock } from '../base/clock.ts';
import { Turns } from '../base/turns.ts';
import { askUserTool } from './ask-user.ts';
import { editFileTool } from './edit-file.ts';
import { listFilesTool } from './list-files.ts';
import { processTool } from './process.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search-files.ts';
import { type SendParts, sendFileTool } from './send-file.ts';
import { type TerminalParts, terminalTool } from './terminal.ts';
import type { Tool } from './tool.ts';
import { writeFileTool } from './write-file.ts';

export interface ToolParts extends TerminalParts, SendParts {
  readonly clock: Clock;
  /** What is shortened has passed through it before (P7). */
  readonly redact: (text: string) => string | Promise<string>;
}

export function createTools(parts: ToolParts): readonly Tool[] {
  const turns = new Turns();
  return [
    terminalTool(parts),
    processTool(parts),
    readFileTool(parts),
    writeFileTool({ turns }),
    editFileTool({ turns }),
    searchFilesTool(parts),
    listFilesTool,
    sendFileTool(parts),
    askUserTool,
  ];
}
