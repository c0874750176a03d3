// P11: state files are written whole or not at all, and are for their owner only.
import type { Mutation } from './mutation.ts';

const FILES = {
  promise: 'P11',
  file: 'src/base/private-files.ts',
  testFile: 'src/base/private-files.test.ts',
} as const;

export const files: readonly Mutation[] = [
  {
    ...FILES,
    name: 'others can read state files',
    old: "open(temporary, 'wx', 0o600)",
    new: "open(temporary, 'wx', 0o644)",
    tests: ['are 0600 in 0700 folders, whatever the umask'],
  },
  {
    ...FILES,
    name: 'others can enter state folders',
    old: 'await chmod(dir, 0o700);',
    new: 'await chmod(dir, 0o755);',
    tests: ['are 0600 in 0700 folders, whatever the umask'],
  },
  {
    ...FILES,
    name: 'a state file is written in place, so that a reader sees a part',
    old: "const temporary = `${target}.${newId()}.tmp`;\n  try {\n    const file = await open(temporary, 'wx', 0o600);",
    new: "const temporary = target;\n  try {\n    const file = await open(temporary, 'w', 0o600);",
    tests: ['are replaced whole: a reader never sees a part, and no temporary file stays'],
  },
  {
    ...FILES,
    name: 'a failed write leaves its temporary file behind',
    old: '    await rm(temporary, { force: true });\n',
    new: '',
    tests: ['leave no temporary file behind when they cannot be put in place'],
  },
  {
    ...FILES,
    name: 'a link to a state file is replaced by a file',
    old: '    return await realpath(path);\n',
    new: '    return path;\n',
    tests: ['are written through a symlink, which stays one'],
  },
  {
    promise: 'P11',
    name: 'a database that others can read stays so',
    file: 'src/store/open.ts',
    old: '0o600',
    new: '0o644',
    testFile: 'src/store/open.test.ts',
    tests: ['becomes private when a copy that others could read was put back'],
  },
  {
    promise: 'P11',
    name: 'two changes of a setting at the same time lose one of them',
    file: 'src/config/save.ts',
    old: 'withFileLock(',
    new: '((_path: string, _clock: unknown, work: () => Promise<unknown>) => work())(',
    testFile: 'src/config/save.test.ts',
    tests: ['loses none of many changes made at once'],
  },
];
