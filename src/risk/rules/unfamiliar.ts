// What is not known to be harmless. The table of harmless programs stands in known/; here is what follows from it.
import { isUnknown } from '../command.ts';
import { strangeness } from '../known/familiar.ts';
import { shapeOf } from '../known/learned.ts';
import { areTame } from '../known/tame.ts';
import { locate } from '../paths.ts';
import type { Judged, Rule } from './rule.ts';

/** The rule of programs that are not known. */
export const UNFAMILIAR = 'unresolved.unfamiliar';

/** Files that are read or written and whose names nobody knows. */
function untoldFiles(command: Judged): boolean {
  const isUntold = (path: string): boolean => isUnknown(path[0] ?? '');
  return (command.reads.some(isUntold) || command.writes.some(isUntold)) && !areTame(command);
}

/** Programs that run files which no word of theirs names, and those files. */
const RUN_BY: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:g|b)?make$|^ninja$/, /(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$|\.ninja$/],
  [
    /^(?:npm|yarn|pnpm|bun|npx|node|jest|vitest|mocha|vite|webpack|eslint|tsx|next|nx|turbo)$/,
    /(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.[cm]?[jt]sx?)$/,
  ],
  [
    /^(?:pytest|tox|nox|python[\d.]*|pip3?|poetry|uv|flask|django-admin|coverage|unittest|alembic|pre-commit)$/,
    /(?:\.py|\.pth|tox\.ini|pyproject\.toml|setup\.cfg|\.pre-commit-config\.yaml)$/,
  ],
  [/^cargo$/, /(?:\.rs|Cargo\.toml|\.cargo\/config(?:\.toml)?)$/],
  [/^go$/, /(?:\.go|go\.(?:mod|work))$/],
  [
    /^(?:gradle|gradlew|mvn|mvnw|sbt|ant)$/,
    /(?:\.gradle(?:\.kts)?|pom\.xml|build\.(?:sbt|xml)|\.java|\.kt)$/,
  ],
  [
    /^(?:just|task|mage|rake|bundle|rails|rspec|composer|mix|cmake|ctest|meson|bazel|phpunit|dotnet|swift|zig|terraform|ansible-playbook)$/,
    /(?:[Jj]ustfile|Taskfile\.ya?ml|Rakefile|Gemfile|\.rb|composer\.json|\.exs?|CMakeLists\.txt|\.cmake|meson\.build|BUILD(?:\.bazel)?|\.php|\.cs(?:proj)?|\.swift|build\.zig|\.tf|\.ya?ml)$/,
  ],
];

/** A file that is named is read in its own right. */
function runsWhatWasMade({ program, made, args, cwd }: Judged): boolean {
  if (made.length === 0) return false;
  const files = RUN_BY.find(([programs]) => programs.test(program))?.[1];
  if (files === undefined) return false;
  const named = new Set(/^(?:node|python)/.test(program) ? args.map(arg => locate(arg, cwd)) : []);
  return made.some(path => files.test(path) && !named.has(path));
}

export const unfamiliarRules: readonly Rule[] = [
  {
    id: UNFAMILIAR,
    threatens: 'unresolved',
    severity: 'medium',
    reason: 'Runs a program that is not known to be harmless, or not with these flags.',
    matches: command => strangeness(command) !== undefined,
    shape: shapeOf,
    positive: [
      'logsave /dev/null ls',
      'cmake -E rm -rf build',
      'evilctl --now',
      '/tmp/ls -la',
      'git --work-tree=/etc checkout -f',
      'git -c include.path=x.cfg status',
      'make -f /tmp/Makefile',
      'ssh -F /tmp/x host',
      'curl -K /tmp/x https://x.example',
      'GIT_CONFIG_GLOBAL=/tmp/x git status',
      'NODE_PATH=/tmp/x node app.js',
      'python3 /tmp/x.py',
      'npx evil-package',
    ],
    negative: [
      'ls -la',
      'make -j4 test',
      'npm test',
      'python3 app.py',
      './gradlew build',
      'git commit -m x',
      'cargo build --release',
      'NODE_ENV=test npm test',
      'docker compose up -d',
      'f() { ls; }; f',
      'x86_64 --version',
    ],
  },
  {
    id: 'unresolved.which-file',
    threatens: 'unresolved',
    severity: 'medium',
    reason: 'Reads or writes a file whose name is known only when it runs.',
    matches: untoldFiles,
    positive: ['cat "$F"', 'cat $(cat names)', 'cp x "$DEST"', 'echo x > "$OUT"'],
    negative: [
      'cat $(git ls-files)',
      'for f in *.md; do cat "$f"; done',
      'F=x; cat "$F"',
      'wc -l $(find . -name "*.ts")',
      't=$(mktemp); echo x > "$t"',
      'find . -name x | xargs cat',
    ],
  },
  {
    id: 'unresolved.made-and-run',
    threatens: 'unresolved',
    severity: 'high',
    reason: 'Writes a file that the same command then runs by way of another program.',
    matches: runsWhatWasMade,
    positive: [
      "printf 'all:\\n\\tid\\n' > Makefile && make",
      'cp x package.json; npm test',
      'echo x > conftest.py && pytest',
    ],
    negative: ['make', 'echo x > notes.md && make', 'npm test > test.log', 'touch x.txt && pytest'],
  },
];
