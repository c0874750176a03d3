// Wrong trees for the rules about types, errors, headers, exports and names.
import { oneFile, type WrongTree } from './wrong-tree.ts';

export const textTrees: readonly WrongTree[] = [
  {
    rule: 'no-any',
    title: '`any` everywhere, and silenced checkers in src/',
    files: {
      'bench/a.ts': ['let a: any;'],
      'scripts/a.ts': ['const a = b as any;'],
      'src/base/a.ts': [
        'type A = Record<string, any>;',
        '// @ts-ignore',
        '/* biome-ignore lint: no */',
        '// @ts-nocheck',
      ],
      'src/base/b.test.ts': ['// biome-ignore lint: no'],
      'test/a.ts': ['function f(...args: any[]) {}'],
    },
    expected: [
      'bench/a.ts:1',
      'scripts/a.ts:1',
      'src/base/a.ts:1',
      'src/base/a.ts:2',
      'src/base/a.ts:3',
      'src/base/a.ts:4',
      'src/base/b.test.ts:1',
      'test/a.ts:1',
    ],
  },
  {
    rule: 'no-any',
    title: 'the word any, comments about silencers, and silencers in tests',
    files: {
      'src/base/a.ts': [
        "const any = 'any';",
        '// Never write @ts-ignore.',
        'const b = "// @ts-ignore";',
        'expect.any(String);',
      ],
      'test/a.ts': ['// @ts-ignore'],
    },
    expected: [],
  },
  oneFile('silent-catch', 'empty and commented catches', {
    text: [
      'try { a(); } catch {}',
      'try { a(); } catch (error) {',
      '  // nothing to do',
      '}',
      'a().catch(() => {});',
      'a()?.catch(() => undefined);',
      'a().catch(function () { /* fine */ });',
      'a().catch(() => void 0);',
    ],
    wrong: [1, 2, 5, 6, 7, 8],
  }),
  {
    rule: 'silent-catch',
    title: 'catches that do something, and tests',
    files: {
      'src/base/a.test.ts': ['try { a(); } catch {}'],
      'src/base/a.ts': [
        'try { a(); } catch { return false; }',
        'try { a(); } finally {}',
        'a().catch(error => log(error));',
        'a().catch(() => []);',
        'a().catch(report);',
        'a().catch(() => fallback);',
        'a().catch(() => -1);',
        'a().catch(() => void report());',
        'a().then(() => {});',
      ],
    },
    expected: [],
  },
  {
    rule: 'file-header',
    title: 'no comment, a short one, and one that comes too late',
    files: {
      'src/base/a.ts': ['export const a = 1;'],
      'src/base/b.ts': ['// Too short.', 'export const a = 1;'],
      'src/base/c.ts': ["import a from 'a';", '// What this file is for, said too late.'],
      'src/base/d.ts': '',
      'src/base/e.ts': ['// ******************************', 'export const a = 1;'],
    },
    expected: ['a', 'b', 'c', 'd', 'e'].map(name => `src/base/${name}.ts:1`),
  },
  {
    rule: 'file-header',
    title: 'comments of every form, tests and scripts',
    files: {
      'scripts/a.ts': ['run();'],
      'src/base/a.test.ts': ['run();'],
      'src/base/a.ts': ['// What this file is for.', 'export const a = 1;'],
      'src/base/b.ts': ['/**', ' * What this file is for.', ' */', 'export const a = 1;'],
      'src/base/c.ts': ['', '// Said in two', '// short lines.', 'export const a = 1;'],
      'src/base/d.ts': ['// Only types stand in this file.'],
    },
    expected: [],
  },
  oneFile('export-style', 'default exports, enums and namespaces', {
    text: [
      'export default 1;',
      'export { a as default };',
      'enum B { C }',
      'namespace D { export const e = 1; }',
    ],
    wrong: [1, 2, 3, 4],
  }),
  {
    rule: 'export-style',
    title: 'named exports, ambient declarations and configs of tools',
    files: {
      'scripts/a.ts': ['export default 1;'],
      'src/base/a.ts': [
        'export const enumerate = 1;',
        'export { default as b } from "b";',
        'declare global { interface C {} }',
        'declare module "d" {}',
        'export * as e from "e";',
      ],
    },
    expected: [],
  },
  {
    rule: 'avoided-words',
    title: 'words that fit everything, in paths and exports',
    files: {
      'src/backends/docker/engine-manager.ts': ['export const engine = 1;', 'export type DockerService = 1;'],
      'src/base/text-utils.ts': '',
      'src/gateway/a.ts': [
        'export class SessionManager {}',
        'export function runHelper() {}',
        'export const [a, { commonRoot }] = b;',
        'export interface SandboxV2 {}',
        'const x = 1; export { x as toolExecutor };',
        "export { y as TEXT_UTIL } from './y.ts';",
        'export const engineUrl = 1;',
      ],
      'src/store/services/a.ts': '',
    },
    expected: [
      'src/backends/docker/engine-manager.ts:1',
      'src/backends/docker/engine-manager.ts:2',
      'src/base/text-utils.ts:1',
      ...[1, 2, 3, 4, 5, 6, 7].map(line => `src/gateway/a.ts:${line}`),
      'src/store/services/a.ts:1',
    ],
  },
  {
    rule: 'avoided-words',
    title: 'words that only contain them, inner names, names passed on, and engines of drivers',
    files: {
      'src/backends/docker/engine.ts': ['export const engineUrl = 1;'],
      'src/gateway/community.ts': [
        'export const utility = 1, managed = 2, V24 = 3, uncommon = 4;',
        'const helper = 1;',
        "export { TaskManager } from 'vendor';",
        'export function f(service: string) {}',
        'export const { service: docker } = names;',
      ],
      'test/helpers/utils.ts': ['export const helper = 1;'],
    },
    expected: [],
  },
];
