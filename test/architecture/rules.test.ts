// Each rule is seen failing on a small wrong tree, at the exact lines, and passing on a near miss.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRules } from './all-rules.ts';
import { formatViolation, parseProject, readProject } from './project.ts';
import { driverNameTrees } from './wrong-trees/driver-names.ts';
import { importTrees } from './wrong-trees/imports.ts';
import { moduleTopLevelTrees } from './wrong-trees/module-top-level.ts';
import { oneDoorTrees } from './wrong-trees/one-door.ts';
import { processAndTimeTrees } from './wrong-trees/process-and-time.ts';
import { sizeTrees } from './wrong-trees/sizes.ts';
import { steadyTestTrees } from './wrong-trees/steady-tests.ts';
import { textTrees } from './wrong-trees/text.ts';
import { filesOf } from './wrong-trees/wrong-tree.ts';

const trees = [
  ...importTrees,
  ...sizeTrees,
  ...driverNameTrees,
  ...processAndTimeTrees,
  ...moduleTopLevelTrees,
  ...textTrees,
  ...steadyTestTrees,
  ...oneDoorTrees,
];

describe.each(allRules)('$name', rule => {
  const own = trees.filter(tree => tree.rule === rule.name);

  it('has a tree that it must refuse and one that it must accept', () => {
    expect(own.some(tree => tree.expected.length > 0)).toBe(true);
    expect(own.some(tree => tree.expected.length === 0)).toBe(true);
  });

  for (const tree of own) {
    it(`${tree.expected.length > 0 ? 'refuses' : 'accepts'} ${tree.title}`, () => {
      const found = rule.check(parseProject(filesOf(tree)));
      expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual(tree.expected);
      expect(found.every(violation => violation.rule === rule.name)).toBe(true);
    });
  }
});

describe('messages', () => {
  it('show the whole cycle', () => {
    const check = allRules.find(({ name }) => name === 'cycles')?.check;
    const found = check?.(
      parseProject({
        'src/base/a.ts': "import './b.ts';",
        'src/base/b.ts': "import './c.ts';",
        'src/base/c.ts': "import './a.ts';",
      }),
    );
    expect(found?.[0]?.message).toContain('src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts');
  });

  it('name the file, the line, the rule and what to do', () => {
    const check = allRules.find(({ name }) => name === 'process-exit')?.check;
    const found = check?.(parseProject({ 'src/agent/a.ts': '\nprocess.exit(1);' })) ?? [];
    expect(found.map(formatViolation)).toEqual([
      'src/agent/a.ts:2 process-exit: uses process.exit; throw a HermesError or return, and let src/cli/main.ts end the program',
    ]);
  });
});

it('reads a tree from disk, without what is no source and without wrong trees kept as fixtures', () => {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = {
    'README.md': 'no source',
    'bench/main.ts': '// bench',
    'bin/hermes.js': '// entry\n',
    'scripts/a.js': '',
    'src/agent/loop.ts': "// The loop.\nimport { a } from '../gateway/a.ts';\n",
    'src/agent/notes.json': '{}',
    'src/gateway/node_modules/x/index.ts': 'broken(',
    'src/dashboard/page/app.js': 'setTimeout(run);\n',
    'test/fixtures/a.ts': '\n\n',
    'test/fixtures/trees/a/src/a.ts': 'broken(',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  const project = readProject(root);

  expect(project.files.map(({ path, kind, lineCount }) => ({ path, kind, lineCount }))).toEqual([
    { path: 'bench/main.ts', kind: 'script', lineCount: 1 },
    { path: 'bin/hermes.js', kind: 'script', lineCount: 1 },
    { path: 'scripts/a.js', kind: 'script', lineCount: 0 },
    { path: 'src/agent/loop.ts', kind: 'source', lineCount: 2 },
    { path: 'src/dashboard/page/app.js', kind: 'browser', lineCount: 1 },
    { path: 'test/fixtures/a.ts', kind: 'test', lineCount: 2 },
  ]);
  const found = allRules.flatMap(rule => rule.check(project));
  expect(found.map(({ file, line, rule }) => `${file}:${line} ${rule}`)).toEqual([
    'src/agent/loop.ts:2 layers',
    'src/agent/loop.ts:1 file-header',
  ]);
});
