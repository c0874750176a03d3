// Redaction of plain output with 50 known secrets, beside a copy of the same text that looks at every letter once.
import { randomBytes } from 'node:crypto';
import { createRedactor } from '../src/base/redact/redactor.ts';
import type { Bench, BenchCase } from './bench.ts';

const MEGABYTES = 10;
/** 30 MB/s: what is promised. */
const LIMIT_MS = Math.floor((MEGABYTES * 1000) / 30);
const CHUNK = 65_536;

export const redact: Bench = {
  doc: `Redaction of ${MEGABYTES} MB with 50 known secrets; the limit is 30 MB/s`,
  rounds: 10,
  warmUp: 2,
  async open() {
    const secrets = Array.from({ length: 50 }, () => randomBytes(24).toString('base64url'));
    const redactor = createRedactor({ secrets, shapes: 'on' });
    const known = createRedactor({ secrets, shapes: 'off' });
    const reference = 'one pass over the letters';
    const measured = (name: string, text: string, work: (text: string) => unknown): BenchCase => ({
      name,
      run: async () => work(text),
      against: reference,
      limit: { extraMs: LIMIT_MS },
    });
    const [build, log] = [filled(buildLine), filled(logLine)];
    const inPieces = (text: string): number => {
      const stream = redactor.stream();
      let length = 0;
      for (let at = 0; at < text.length; at += CHUNK)
        length += stream.push(text.slice(at, at + CHUNK)).length;
      return length + stream.flush().length;
    };
    return {
      cases: [
        { name: reference, run: async () => onePass(build) },
        measured('known values alone', build, known.redact),
        measured('output of a build', build, redactor.redact),
        measured('log with dates and hashes', log, redactor.redact),
        measured('log in pieces of 64 KiB', log, inPieces),
      ],
      async close() {},
    };
  },
};

function onePass(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
  return sum;
}

function filled(line: (turn: number) => string): string {
  const lines = Array.from({ length: 5000 }, (_, turn) => line(turn)).join('\n');
  return lines.repeat(Math.ceil((MEGABYTES * 1e6) / lines.length)).slice(0, MEGABYTES * 1e6);
}

function buildLine(turn: number): string {
  return `[${turn}/5000] cc -O2 -Wall -Iinclude -c src/module_${turn}/parser.c -o build/obj/parser_${turn}.o`;
}

function logLine(turn: number): string {
  const hash = randomBytes(20).toString('hex');
  return `2026-01-15T10:${turn % 60}:12.345Z INFO [worker-${turn % 7}] GET /api/items/${turn * 37} 200 ${turn % 900}ms commit=${hash}`;
}
