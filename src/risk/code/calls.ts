// What code in another language would do, told as the shell commands that do the same. The rules then know one language only.
import { UNKNOWN } from '../command.ts';
import { namesMetadata } from '../metadata.ts';
import type { Language } from '../unwrap/inner.ts';
import { argv, calls, type Deed } from './deed.ts';
import { variablesShown } from './environment.ts';
import { backticks, runs } from './runs.ts';
import { type Skeleton, skeletonOf } from './skeleton.ts';

const REMOVES_TREES =
  /(?:(?<![.\w-])rm(?=\(\s*§)|\brmtree|remove_tree|rm_rf|rm_r|remove_dir|remove_entry(?:_secure)?|rmSync|rmdirSync|fs(?:\.promises)?\.rm|\.rm(?=\s*\(\s*§)|rimraf(?:\.sync|Sync)?|removeSync|emptyDirSync|delete_tree)\s*\(?\s*/g;
const REMOVES =
  /(?:\bos\.(?:remove|unlink|removedirs|rmdir)|\bdelete-file|unlinkSync|(?<![.\w])unlink|fs(?:\.promises)?\.unlink|File\.(?:delete|unlink)|FileUtils\.rm)\s*\(?\s*/g;
const WRITES =
  /(?:writeFileSync|appendFileSync|writeFile|appendFile|createWriteStream|File\.write|IO\.write|file_put_contents|truncateSync)\s*\(\s*/g;
const READS =
  /(?:readFileSync|readFile|createReadStream|File\.read(?:lines)?|IO\.read|file_get_contents|readfile|File\.open|fopen|(?<![.\w])open|io\.open|linecache\.getlines)\s*\(?\s*/g;
const MOVES =
  /(?<![.\w])rename\s*\(?\s*|\b(?:os\.(?:rename|replace)|shutil\.move|renameSync|FileUtils\.mv)\s*\(\s*/g;
const COPIES = /\b(?:shutil\.copy\w*|copyFileSync|cpSync|FileUtils\.cp\w*)\s*\(\s*/g;

export function deedsOf(text: string, language: Language): Deed[] {
  const skeleton = skeletonOf(text, language);
  return [
    ...runs(skeleton, language),
    ...backticks(skeleton, text, language),
    ...files(skeleton),
    ...network(skeleton),
    ...dynamic(skeleton, language),
    ...others(skeleton),
    ...variablesShown({ ...skeleton, code: skeleton.named }).map(name => argv('@environment', name)),
  ];
}

/** Where a call's argument is no literal, any path in the code may be meant. */
function targets(texts: readonly string[], skeleton: Skeleton): readonly string[] {
  if (texts[0] !== undefined) return [texts[0]];
  const paths = skeleton.texts.filter(text => /^(?:\/|~|\.\.?(?:\/|$))[^\s]*$/.test(text));
  return paths.length > 0 ? paths : [UNKNOWN];
}

function files(skeleton: Skeleton): Deed[] {
  const each = (
    pattern: RegExp,
    deed: (path: string, texts: readonly string[], rest: string) => Deed,
  ): Deed[] =>
    calls(skeleton, pattern).flatMap(({ texts, rest }) =>
      targets(texts, skeleton).map(path => deed(path, texts, rest)),
    );
  return [
    ...each(REMOVES_TREES, path => argv('rm', '-rf', path)),
    ...each(REMOVES, (path, [first]) => (first === undefined ? argv('rm', '-rf', path) : argv('rm', path))),
    ...each(WRITES, path => argv('tee', path)),
    ...each(READS, opened),
    ...each(/(?<![.\w])open\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*/g, opened),
    ...each(MOVES, (path, [, to = UNKNOWN]) => argv('mv', path, to)),
    ...each(COPIES, (path, [, to = UNKNOWN]) => argv('cp', path, to)),
    ...methods(skeleton),
    ...each(/[\w)\]]\.(?:unlink|rmdir)\s*\(\s*(?=\)|missing_ok)/g, path => argv('rm', '-rf', path)),
  ];
}

/** `open('x', 'w')`, `open(F, '>x')`; without a mode it is read. */
function opened(path: string, [, second]: readonly string[], rest: string): Deed {
  if (/^\s*\+?>/.test(path)) return argv('tee', path.replace(/^\s*\+?>+\s*/, ''));
  if (/^\s*\|/.test(path)) return { kind: 'script', text: path.replace(/^\s*\|/, '') };
  if (second !== undefined && /^\+?>/.test(second))
    return argv('tee', second.replace(/^\+?>+\s*/, '') || path);
  return second !== undefined && /^[rb]*[wax+]/.test(second) && !/^\s*§\d+§\s*\)/.test(rest)
    ? argv('tee', path)
    : argv('cat', path);
}

function methods({ code, texts }: Skeleton): Deed[] {
  const text = (index: string | undefined): string => texts[Number(index)] ?? '';
  return [
    ...code.matchAll(/§(\d+)§\s*\.(unlink|rmdir|write_text|write_bytes|read_text|read_bytes|touch|chmod)\(/g),
  ].map(match => {
    const path = text(match[1]);
    if (match[2] === 'unlink' || match[2] === 'rmdir') return argv('rm', path);
    return match[2]?.startsWith('read') ? argv('cat', path) : argv('tee', path);
  });
}

const SENDS =
  /\b(?:requests|httpx|session|axios|http|urllib3?)\.(?:post|put|patch)\s*\(|urlopen\([^)]*data\s*=|\bfetch\s*\([^)]*method|curl_setopt|Net::HTTP\.post|HTTP\.post|http\.request|sendall\s*\(|\.sendmail\s*\(|->post\s*\(|FTP\(/;
const FETCHES =
  /urlopen|urlretrieve|requests\.get|httpx\.get|\bfetch\s*\(|https?\.get|URI\.open|Net::HTTP\.get|LWP|file_get_contents\(\s*§|open-uri|axios\.get/;

function network({ code, texts }: Skeleton): Deed[] {
  const hasSocket =
    /\bsocket\b|net\.(?:connect|Socket|createConnection)|TCPSocket|fsockopen|IO::Socket|Socket;|use Socket/.test(
      code,
    ) || texts.some(text => /^(?:net|socket)$/.test(text));
  const hasShell =
    /dup2|pty\.spawn|STDIN|openpty|\.pipe\(/.test(code) ||
    texts.some(text => /(?:^|[/\s])(?:ba|z|da)?sh(?:\s|$)/.test(text));
  const reads =
    /\bopen\s*\(|readFile|File\.read|os\.environ\b(?!\s*\[)|process\.env\b(?!\.)|file_get_contents|read_text|getpass|platform\./.test(
      code,
    );
  const isFetched = FETCHES.test(code);
  return [
    ...((hasSocket && hasShell) || texts.some(text => /^\/inet\d?\/(?:tcp|udp)\//.test(text))
      ? [argv('@reverse-shell')]
      : []),
    ...(SENDS.test(code) && reads ? [argv('@exfiltration')] : []),
    ...(/\beval\b\s*§/.test(code) && texts.some(text => /\b(?:curl|wget)\b/.test(text))
      ? [argv('@remote-code')]
      : []),
    ...(isFetched && /\b(?:exec|eval|compile|Function|loads|instance_eval|vm\.run\w*)\s*\(/.test(code)
      ? [argv('@remote-code')]
      : []),
    ...texts.filter(text => namesMetadata(text, { isAddress: true })).map(url => argv('curl', url)),
  ];
}

function dynamic(skeleton: Skeleton, language: Language): Deed[] {
  const { code } = skeleton;
  const evaluates =
    language === 'awk'
      ? []
      : [
          ...code.matchAll(
            /(?<![.\w])(?:eval|exec|execfile|compile|Function|assert|loadstring)\s*\(\s*(?!§\d+§\s*[,)]|\))/g,
          ),
        ];
  const isHidden =
    /getattr\s*\(\s*(?:os|subprocess|shutil|sys|builtins|__builtins__|__import__)|__builtins__|globals\(\)\s*\[|marshal\.loads|zlib\.decompress[^;]*exec|instance_eval|\.constructor\.constructor|process\.binding|pty\.spawn/.test(
      code,
    );
  const literal =
    language === 'awk'
      ? []
      : calls(skeleton, /(?<![.\w])(?:eval|exec|Function)\s*\(\s*/g).flatMap(({ texts: [first] }): Deed[] =>
          first === undefined ? [] : [{ kind: 'code', text: first }],
        );
  return [...literal, ...(evaluates.length > 0 || isHidden ? [{ kind: 'gap' } as const] : [])];
}

function others(skeleton: Skeleton): Deed[] {
  const { code, texts } = skeleton;
  const kills = [...code.matchAll(/(?:os|process)\.kill(?:pg)?\s*\(\s*(-?\d+|[^,)]*)/g)].map(match =>
    argv('kill', '-9', /^-?\d+$/.test(match[1] ?? '') ? (match[1] ?? '') : UNKNOWN),
  );
  const forks =
    /(?:while|for|loop|until)[\s\S]*\bfork\b|\bfork\b[\s\S]*\b(?:for|while)\b|\bfork\s*\(?\)?\s*while/.test(
      code,
    )
      ? [argv('@fork-bomb')]
      : [];
  const sql = calls(
    skeleton,
    /\.(?:execute|executemany|executescript|query|raw|exec|run|do)\s*\(\s*/g,
  ).flatMap(({ texts: [text] }) =>
    text && /^\s*(?:drop|delete|truncate|update|alter)\b/i.test(text) ? [argv('@sql', text)] : [],
  );
  const modes = [...code.matchAll(/chmod(?:Sync)?\s*\(\s*(?:§(\d+)§\s*,\s*)?(?:0o?)?([0-7]{3,4})/g)].map(
    match => argv('chmod', match[2] ?? '', texts[Number(match[1])] ?? UNKNOWN),
  );
  const perlKills = [...code.matchAll(/(?<![.\w])kill\s*\(?\s*(?:§\d+§|-?\w+)\s*(?:,|=>)\s*(-?\d+)/g)].map(
    match => argv('kill', '-9', match[1] ?? ''),
  );
  const root = /\bsete?uid\s*\(\s*0/.test(code) ? [argv('su', 'root')] : [];
  return [...perlKills, ...root, ...kills, ...forks, ...sql, ...modes];
}
