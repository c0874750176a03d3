import { describe, expect, it } from 'vitest';
import { inGroups } from './call-order.ts';

const groupsOf = (...names: string[]): string[][] =>
  inGroups(names.map((name, at) => ({ id: String(at), name, input: '{}' }))).map(group =>
    group.map(({ name }) => name),
  );

describe('calls of one answer', () => {
  it('run at the same time where they only read and stand side by side', () => {
    expect(groupsOf('read_file', 'list_files', 'write_file', 'read_file', 'search_files')).toEqual([
      ['read_file', 'list_files'],
      ['write_file'],
      ['read_file', 'search_files'],
    ]);
  });

  it('run in the order of the answer where they may change something', () => {
    expect(groupsOf('terminal', 'terminal', 'send_file')).toEqual([
      ['terminal'],
      ['terminal'],
      ['send_file'],
    ]);
  });

  it('are four at once at most', () => {
    expect(groupsOf(...Array.from({ length: 6 }, () => 'read_file')).map(group => group.length)).toEqual([
      4, 2,
    ]);
  });
});
