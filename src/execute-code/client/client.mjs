// The client behind the tools of a JavaScript program. Each function takes one object and returns a promise of the tool's
// answer as text; it rejects with a ToolError. Calls may be made at any time and many at once.
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/** How often the pipe is tried, and how long is waited in between. */
const TRIES = 30_000;
const PAUSE_MS = 2;
const LONGEST_INPUT = 4 * 1024 * 1024;
const GONE =
  'The connection to the tools is gone: something in this sandbox has ended it. The program can go on without tools.';
const NOT_HERE = "Tools can be called from the program's own process and main thread only.";

/** A tool could not do what was asked, was not permitted to, or the limit of calls is used up. */
export class ToolError extends Error {
  constructor(message) {
    super(message);
    this.name = 'ToolError';
  }
}

/** Where the program and its pipes are; this module stands in its `node_modules`. */
const FOLDER = fileURLToPath(new URL('../..', import.meta.url));

/** The line to the gateway, opened at the first call. It keeps the program alive only while an answer is awaited. */
function openLine() {
  const waiting = new Map();
  let out;
  let socket;
  try {
    closeSync(openSync(`${FOLDER}taken`, 'wx', 0o600));
    out = openPipe(`${FOLDER}to-gateway`);
    socket = new Socket({ fd: openSync(`${FOLDER}from-gateway`, 'r'), readable: true, writable: false });
  } catch (error) {
    throw new ToolError(error.code === 'EEXIST' ? NOT_HERE : GONE);
  }
  let received = Buffer.alloc(0);
  let isLost = false;
  const settle = (id, isError, text) => {
    waiting.get(id)?.(isError, text);
    waiting.delete(id);
    if (waiting.size === 0) socket.unref();
  };
  const lose = () => {
    isLost = true;
    for (const id of [...waiting.keys()]) settle(id, true, GONE);
  };
  socket.on('data', data => {
    received = Buffer.concat([received, data]);
    for (let end = received.indexOf(10); end !== -1; end = received.indexOf(10)) {
      const [id, kind, size] = received.toString('latin1', 0, end).split(' ');
      const after = end + 1 + Number(size);
      if (received.length < after) return;
      const text = received.toString('utf8', end + 1, after);
      received = received.subarray(after);
      settle(Number(id), kind === 'error', text);
    }
  });
  socket.on('error', lose);
  socket.on('close', lose);
  socket.unref();
  let lastId = 0;
  return (tool, body, done) => {
    if (isLost) return done(true, GONE);
    const id = ++lastId;
    waiting.set(id, done);
    socket.ref();
    try {
      writeAll(out, Buffer.concat([Buffer.from(`${id} ${tool} ${body.length}\n`), body]));
    } catch {
      settle(id, true, GONE);
    }
  };
}

/** The other end may still be on its way. */
function openPipe(path) {
  for (let turn = 1; ; turn++) {
    try {
      const probe = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      const pipe = openSync(path, constants.O_WRONLY);
      closeSync(probe);
      return pipe;
    } catch (error) {
      if (error.code !== 'ENXIO' || turn > TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** Gives the function that makes a function of a tool; all share one line, opened at the first call. */
export function toolMaker() {
  let line;
  const send = (tool, body, done) => {
    line ??= openLine();
    line(tool, body, done);
  };
  return (tool, parameters) =>
    function call(...given) {
      const fail = failureAt(call);
      return new Promise((resolve, reject) => {
        try {
          const body = Buffer.from(JSON.stringify(inputOf(given, parameters)), 'utf8');
          if (body.length > LONGEST_INPUT) {
            throw new ToolError(
              `The input of ${tool} has ${body.length} bytes; at most ${LONGEST_INPUT} can be passed.`,
            );
          }
          send(tool, body, (isError, text) => (isError ? reject(fail(text)) : resolve(text)));
        } catch (thrown) {
          reject(fail(thrown.message));
        }
      });
    };
}

/** The error is made before the call, so that it knows the line of the program. */
function failureAt(call) {
  const error = new ToolError('');
  Error.captureStackTrace(error, call);
  return text => {
    error.message = text;
    error.stack = `ToolError: ${text}${error.stack.slice(error.stack.indexOf('\n'))}`;
    return error;
  };
}

/** One object; or, as in Python, values in the order of the parameters, perhaps with an object of the rest behind them. */
function inputOf(given, parameters) {
  const input = {};
  for (const [at, value] of given.entries()) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && at === given.length - 1) Object.assign(input, value);
    else if (at < parameters.length) input[parameters[at]] = value;
    else
      throw new ToolError(`It takes ${parameters.length} values, or one object: ${parameters.join(', ')}.`);
  }
  return input;
}
