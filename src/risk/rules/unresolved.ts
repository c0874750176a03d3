// What could not be found out. These come from the walk itself, not from a command; the examples hold for the whole analysis.
import type { Severity } from '../finding.ts';

export interface GapRule {
  readonly id: string;
  readonly severity: Severity;
  readonly reason: string;
  readonly positive: readonly string[];
  readonly negative: readonly string[];
}

export const gapRules: readonly GapRule[] = [
  {
    id: 'unresolved.command-word',
    severity: 'high',
    reason: 'Which program runs is known only when it runs.',
    positive: [
      '$CMD -rf /',
      '"$x" y',
      '$(cat name) -rf /',
      '/bin/r? -rf /x',
      '${A}${B} /',
      '`curl -s x.example` y',
      '$*',
      '"$@"',
      '$1 -rf x',
      '${CMD:-ls} -rf x',
      '$USER -rf x',
    ],
    negative: [
      'R=ls; $R -la',
      '$(which python3) x.py',
      '$(echo ls)',
      '"$JAVA_HOME/bin/java" -version',
      'echo $CMD',
      '"$HOME/bin/tool" x',
      'USER=ls; $USER',
      'f() { ls "$1"; }; f x',
      'bash -c \'$0 "$@"\' ls -la',
      'set -- ls -la; "$@"',
    ],
  },
  {
    id: 'unresolved.script',
    severity: 'high',
    reason: 'Runs a script that is known only when it runs.',
    positive: [
      'eval "$X"',
      'bash -c "$PAYLOAD"',
      'generate-it | sh',
      'sh <(make-script)',
      'ssh host "$CMD"',
      'xargs -I{} sh -c {}',
      'bash <&3',
      '. /dev/fd/3',
      'run-parts /tmp/x',
    ],
    negative: [
      'bash script.sh',
      'sh -c "echo hi"',
      'cat x.sh | sh',
      'eval "$(ssh-agent -s)"',
      'bash < x.sh',
      'bash 3< x.sh <&3',
      'run-parts --test /etc/cron.daily',
    ],
  },
  {
    id: 'unresolved.code',
    severity: 'high',
    reason: 'Runs code that puts together what it does only when it runs.',
    positive: [
      'python3 -c "import os; os.system(cmd)"',
      "python3 -c \"exec(__import__('base64').b64decode('cHJpbnQ='))\"",
      'node -e "eval(process.argv[1])" x',
    ],
    negative: [
      'python3 -c "print(1)"',
      'node -e "console.log(/a/.exec(\'a\'))"',
      "perl -pe 's/a/b/' f",
      'python3 -c "model.eval()"',
    ],
  },
  {
    id: 'unresolved.inline-code',
    severity: 'medium',
    reason: 'Runs code of which it cannot be proved that it does no harm.',
    positive: [
      'python3 -c \'import posix; posix.unlink("/x")\'',
      'node -e \'require("node:fs")["rm" + "Sync"]("/x")\'',
      'perl -e \'unlink glob("/x/*")\'',
      'awk \'BEGIN { "date" | getline }\'',
      "awk '{ print > $1 }' f",
      'Rscript -e \'unlink("x", recursive = TRUE)\'',
      "perl -pe 's/a/b/e' f",
    ],
    negative: [
      'python3 -c "import json; print(json.dumps({1: 2}))"',
      'python3 -c "print(sum(range(10)))"',
      'node -p "require(\'./package.json\').version"',
      "awk '$5 > 100 { print $1 }' f",
      "perl -pe 's/a/b/' f",
      "perl -lane 'print $F[0]' f",
      'ruby -e "puts 1"',
    ],
  },
  {
    id: 'unresolved.syntax',
    severity: 'medium',
    reason: 'It is no complete shell command, so that it cannot be told what a shell would make of it.',
    positive: ['echo "unterminated', 'if true; then ls', 'rm -rf $(', 'ls )'],
    negative: ['echo ok', "echo 'it'\\''s'", '[ -f x ] && echo y'],
  },
  {
    id: 'unresolved.too-deep',
    severity: 'high',
    reason: 'Too much is wrapped in each other to follow it.',
    positive: [`${'eval '.repeat(40)}ls`],
    negative: ['bash -c "bash -c \'ls\'"'],
  },
];

/** Over the limits; the reason is said by whoever found it. */
export const UNPARSED = { id: 'unresolved.unparsed', severity: 'high' } as const;
