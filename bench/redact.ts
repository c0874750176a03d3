// Redaction of plain output with 50 known secrets, beside a pass over the same text that looks at every letter once.
import { randomBytes } from 'node:crypto';
import { createRedactor } from '../src/base/redact/redactor.ts';
import { defineBench } from './bench.ts';

/** So long a text is searched at once. */
const MEGABYTE = 1_000_000;
const TIMES = 4;
const CHUNK = 65_536;

export const redact = defineBench({
  title: 'Redaction',
  about: `${TIMES} times a megabyte of plain output, 50 known secrets in all their forms, and all shapes.`,
  clock: 'cpu',
  rounds: 15,
  warmUp: 2,
  cases: {
    pass: { name: 'one pass over the letters' },
    known: { name: 'known values alone', against: 'pass', limit: 6 },
    build: { name: 'output of a build', against: 'pass', limit: 8, isShort: true },
    log: { name: 'log with dates and hashes', against: 'pass', limit: 14, isShort: true },
    pieces: { name: 'the same log in pieces of 64 KiB', against: 'pass', limit: 14 },
  },
  async open() {
    const secrets = Array.from({ length: 50 }, () => randomBytes(24).toString('base64url'));
    const redactor = createRedactor({ secrets, shapes: 'on' });
    const known = createRedactor({ secrets, shapes: 'off' });
    const [build, log] = [filled(buildLine), filled(logLine)];
    const inPieces = (text: string): number => {
      const stream = redactor.stream();
      let length = 0;
      for (let at = 0; at < text.length; at += CHUNK)
        length += stream.push(text.slice(at, at + CHUNK)).length;
      return length + stream.flush().length;
    };
    return {
      runs: {
        pass: { run: often(() => onePass(build)) },
        known: { run: often(() => known.redact(build)) },
        build: { run: often(() => redactor.redact(build)) },
        log: { run: often(() => redactor.redact(log)) },
        pieces: { run: often(() => inPieces(log)) },
      },
      async close() {},
    };
  },
});

function often(work: () => unknown): () => void {
  return () => {
    for (let turn = 0; turn < TIMES; turn++) work();
  };
}

function onePass(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
  return sum;
}

function filled(line: (turn: number) => string): string {
  const lines = Array.from({ length: 5000 }, (_, turn) => line(turn)).join('\n');
  return lines.repeat(Math.ceil(MEGABYTE / lines.length)).slice(0, MEGABYTE);
}

function buildLine(turn: number): string {
  return `[${turn}/5000] cc -O2 -Wall -Iinclude -c src/module_${turn}/parser.c -o build/obj/parser_${turn}.o`;
}

function logLine(turn: number): string {
  const hash = randomBytes(20).toString('hex');
  return `2026-01-15T10:${turn % 60}:12.345Z INFO [worker-${turn % 7}] GET /api/items/${turn * 37} 200 ${turn % 900}ms commit=${hash}`;
}
