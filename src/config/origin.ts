// Where a value came from, so that every answer about configuration can say so.

import { basename } from 'node:path';

export type Origin =
  | { readonly from: 'flag'; readonly name: string }
  | { readonly from: 'environment'; readonly name: string }
  | { readonly from: 'dotenv'; readonly file: string; readonly line: number; readonly name: string }
  | { readonly from: 'file'; readonly file: string; readonly line: number }
  | { readonly from: 'default' };

export function describeOrigin(origin: Origin): string {
  switch (origin.from) {
    case 'flag':
      return `flag ${origin.name}`;
    case 'environment':
      return `environment variable ${origin.name}`;
    case 'dotenv':
      return `${origin.file}:${origin.line} (${origin.name})`;
    case 'file':
      return `${origin.file}:${origin.line}`;
    case 'default':
      return 'default';
  }
}

/** The same for a narrow table: files by their name alone. */
export function shortOrigin(origin: Origin): string {
  switch (origin.from) {
    case 'flag':
    case 'environment':
      return origin.from;
    case 'dotenv':
    case 'file':
      return `${basename(origin.file)}:${origin.line}`;
    case 'default':
      return 'default';
  }
}
