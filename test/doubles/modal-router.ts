// The second server of the Modal double, the command router: processes in sandboxes, their streams, and snapshots.
import { type CallContext, ServerError, Status } from 'nice-grpc';
import { jwt } from './modal-control.ts';
import { Exec } from './modal-exec.ts';
import type { DoubleSandbox, ModalState } from './modal-state.ts';

interface ByExec {
  readonly taskId: string;
  readonly execId: string;
}

/** The SDK asks for a new one only when the old one is near its end. */
const TOKEN_SECS = 25;

export function routerCalls(state: ModalState) {
  const tokens = new Set<string>();
  const streams = new Set<AbortController>();
  const guard = ({ metadata }: CallContext): void => {
    const token = metadata.get('authorization')?.replace(/^Bearer /, '') ?? '';
    if (!tokens.has(token)) throw new ServerError(Status.UNAUTHENTICATED, 'the token has expired');
  };
  const task = (taskId: string, context: CallContext): DoubleSandbox => {
    guard(context);
    const found = state.living().find(sandbox => sandbox.taskId === taskId);
    if (found) return found;
    throw new ServerError(Status.NOT_FOUND, `no task ${taskId}`);
  };
  const execOf = ({ taskId, execId }: ByExec, context: CallContext): Exec => {
    guard(context);
    const sandboxes = [...state.sandboxes.values()];
    const found = sandboxes.find(sandbox => sandbox.taskId === taskId)?.execs.get(execId);
    if (found) return found;
    throw new ServerError(Status.NOT_FOUND, `no process ${execId}`);
  };
  const calls = {
    TaskExecStart: async (
      request: ByExec & { commandArgs: readonly string[]; workdir: string },
      context: CallContext,
    ) => {
      const sandbox = task(request.taskId, context);
      // The same one, asked for again because the answer was lost.
      if (!sandbox.execs.has(request.execId)) {
        const child = sandbox.container.exec(request.commandArgs, request.workdir || '/');
        state.run(sandbox, request.execId, new Exec(child));
      }
      return {};
    },
    TaskExecStdinWrite: async (
      request: ByExec & { offset: number; data: Uint8Array; eof: boolean },
      context: CallContext,
    ) => {
      await execOf(request, context).write(request.offset, request.data, request.eof);
      return {};
    },
    async *TaskExecStdioRead(
      request: ByExec & { offset: number; fileDescriptor: number },
      context: CallContext,
    ) {
      const output = execOf(request, context).output[request.fileDescriptor === 1 ? 'stderr' : 'stdout'];
      const dropped = new AbortController();
      streams.add(dropped);
      try {
        const signal = AbortSignal.any([dropped.signal, context.signal]);
        for await (const data of output.from(request.offset, signal)) yield { data };
        if (dropped.signal.aborted) throw new ServerError(Status.UNAVAILABLE, 'stream dropped');
      } finally {
        streams.delete(dropped);
      }
    },
    TaskExecWait: async (request: ByExec, context: CallContext) => execOf(request, context).exit,
    TaskSnapshotFilesystem: async (
      request: { taskId: string; snapshotId: string; ttlSeconds: number },
      context: CallContext,
    ) => ({ imageId: (await state.snapshot(task(request.taskId, context), request)).id }),
  };
  return {
    calls,
    newToken() {
      const token = jwt(TOKEN_SECS);
      tokens.add(token);
      return token;
    },
    expireTokens: () => tokens.clear(),
    dropStreams() {
      for (const stream of streams) stream.abort();
    },
  };
}
