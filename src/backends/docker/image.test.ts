import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Engine, EngineUnreachable } from './engine.ts';
import { findImage, pullImage } from './image.ts';

let folder = '';
let server: Server;
let engine: Engine;
let asked: string[] = [];
/** What a pull answers, piece by piece; undefined cuts the connection. */
let answer: (string | undefined)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('Api-Version', '1.41');
    if (request.url?.includes('/images/create')) {
      for (const piece of answer) piece === undefined ? response.destroy() : response.write(piece);
    } else if (request.url !== '/_ping') {
      response.statusCode = 404;
      response.write(JSON.stringify({ message: 'No such image: "x"' }));
    }
    response.end();
  }).listen(join(folder, 's'));
  engine = new Engine({ DOCKER_HOST: `unix://${folder}/s` }, systemClock);
});
afterEach(async () => {
  engine.close();
  server.close();
  await rm(folder, { recursive: true });
});

/** Three seconds pass between any two looks at it. */
function hastyClock(): Clock {
  let ms = 0;
  return { ...systemClock, monotonic: () => (ms += 3_000) };
}

async function pull(image: string): Promise<string[]> {
  const said: string[] = [];
  await pullImage(engine, image, {
    clock: hastyClock(),
    progress: text => said.push(text),
    signal: new AbortController().signal,
    timeoutMs: 2_000,
  });
  return said;
}

describe('a pull', () => {
  it('speaks the engine’s own version, and asks for one tag', async () => {
    answer = [];
    await pull('debian');
    expect(asked).toEqual(['GET /_ping', 'POST /v1.41/images/create?fromImage=debian%3Alatest']);
  });

  it('tells how far it is, wherever its lines are cut', async () => {
    const line = (id: string, current: number): string =>
      `${JSON.stringify({ id, status: 'Downloading', progressDetail: { current, total: 2e6 } })}\r\n`;
    const text = `{"status":"Pulling"}\r\n${line('a', 1e6)}${line('b', 2e6)}`;
    answer = [text.slice(0, 40), text.slice(40, 90), text.slice(90)];
    expect(await pull('x:1')).toEqual([
      'Pulling the image x:1.',
      'Pulling the image x:1: 1 of 2 MB so far.',
      'Pulling the image x:1: 3 of 4 MB so far.',
    ]);
  });

  it('fails with the registry’s words, though the answer began well', async () => {
    answer = ['{"status":"Pulling"}\n', '{"error":"manifest unknown"}\n'];
    await expect(pull('x:1')).rejects.toMatchObject({ name: 'EngineFault', message: 'manifest unknown' });
  });

  it('fails when the engine goes away in the middle', async () => {
    answer = ['{"status":"Pulling"}\n', undefined];
    await expect(pull('x:1')).rejects.toBeInstanceOf(EngineUnreachable);
  });
});

it('an image that the engine does not have is none', async () => {
  expect(await findImage(engine, 'reg:5000/a/b:1')).toBeUndefined();
  expect(asked).toContain('GET /v1.41/images/reg:5000/a/b:1/json');
});
