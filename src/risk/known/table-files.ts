// Harmless programs: files, text, the shell's own words. What their words name is judged by the rules about files.
import { flagValues, isUnknown } from '../command.ts';
import { sedScripts } from '../unwrap/sed-script.ts';
import { all, any, each, only, type Shape, without } from './shape.ts';
import { lies } from './whereabouts.ts';

/** Scripts of sed are read whole; one in a file must be a file of the work. */
const sed: Shape = (args, command) =>
  !args.some((arg, at) => {
    const file = /^(?:--file=|-[nrEsuzi]*f)(.*)$/s.exec(arg)?.[1];
    return file !== undefined && !lies(file === '' ? (args[at + 1] ?? '') : file, command).inside;
  }) && sedScripts(command).runs.length === 0;

const awkFlags = only(
  'F:v:f:e:bcghnOrStV',
  'field-separator assign file source posix traditional version help csv re-interval',
);
/** Its program is looked at; one in a file must be a file of the work. */
const awk: Shape = (args, command) =>
  awkFlags(args, command) && flagValues({ args }, 'f', 'file').every(path => lies(path, command).inside);

/** A file of the work, or one of those that every shell of the user reads. */
const sourced: Shape = ([path = ''], { locate, opened, substituted }) => {
  const { inside } = lies(path, { locate });
  return (
    inside ||
    isUnknown(path) ||
    opened !== undefined ||
    substituted.length > 0 ||
    /^(?:~|\/etc|\/usr|\/opt|\/nix)\//.test(locate(path))
  );
};

const TAR_LETTERS = 'cxtruvzjJZpkmOhSWoailwnf:C:X:b:I:P';
const TAR_LONG =
  'create extract get list append update file directory gzip bzip2 xz zstd lzma compress verbose verify exclude exclude-from exclude-vcs strip-components wildcards no-wildcards keep-old-files skip-old-files overwrite no-same-owner no-same-permissions same-owner same-permissions numeric-owner owner group mode mtime sort format to-stdout auto-compress totals checkpoint preserve-permissions transform one-file-system dereference use-compress-program no-recursion ignore-failed-read warning anchored help version';
const tarFlags = only(TAR_LETTERS, TAR_LONG);
/** The first word may be a cluster without its dash. */
const tar: Shape = (args, command) => {
  const [first = '', ...rest] = args.filter(arg => !/^--checkpoint-action=(?:dot|echo)$/.test(arg));
  return tarFlags([/^[a-zA-Z]+$/.test(first) ? `-${first}` : first, ...rest], command);
};

/** Editors that are opened on a file; what they are told to do at once is not looked at. */
const opened: Shape = args =>
  args.every((arg, at) =>
    /^-c$/.test(args[at - 1] ?? '')
      ? /^set \w+$/.test(arg)
      : /^\+\d*$|^-c$|^-(?:n|R|nw|w|r|-wait|-goto|g)$/.test(arg) || !/^[-+]/.test(arg),
  );

export const fileTable: Readonly<Record<string, Shape>> = {
  ...each(`
    ls dir vdir exa eza lsd tree cat tac nl head tail wc cut paste join comm tr fold fmt expand unexpand column colrm rev pr
    od xxd hexdump hd strings base64 base32 basenc gbase64 md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum
    cksum sum shasum crc32 uniq shuf sort gsort csplit split gsplit iconv dos2unix unix2dos envsubst numfmt tsort look
    grep egrep fgrep zgrep zegrep zfgrep pcregrep diff cmp colordiff jq gojq find gfind fd fdfind locate plocate
    stat file du df basename dirname realpath readlink mktemp tempfile touch mkdir rmdir unlink cp gcp mv gmv ln link install
    rm grm rimraf trash truncate tee sponge dd chmod chown chgrp patch shred wipe fallocate getfacl lsattr mkfifo
    gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat lz4 pigz pbzip2 zipinfo unrar lzop
    xmllint csvlook csvcut csvstat csvjson mlr tidy tac wdiff pbcopy wl-copy
    echo printf pwd cd pushd popd dirs true false : test [ [[ seq factor expr bc date gdate cal ncal sleep yes time
    export unset set shopt readonly declare typeset local return exit logout break continue shift getopts read let times
    jobs wait bg fg disown umask ulimit hash type which whereis command builtin eval exec trap alias unalias help
    history cowsay figlet fortune say notify-send logger clear reset tput stty banner lolcat ascii
    srm del-cli ditto rename prename file-rename mmv 7z 7za 7zr uuencode uudecode sha3sum rhash b3sum xxhsum xxh64sum
    Remove-Item ri del rd erase dcfldd crudini
  `),
  ...each('source .', sourced),
  mapfile: without('C', 'callback'),
  readarray: without('C', 'callback'),
  compgen: only('abcdefgjksuvA:'),
  enable: only('anps'),
  fc: only('lnr'),
  sed,
  gsed: sed,
  ...each('awk gawk mawk nawk', awk),
  tar,
  gtar: tar,
  bsdtar: tar,
  zip: without('', 'TT unzip-command'),
  unzip: without(':'),
  // What is in the clipboard is not of the work.
  xclip: without('o', 'out'),
  xsel: args => args.some(arg => /^-(?:i|b?i|-input)$/.test(arg)),
  yq: without('', 'from-file'),
  rg: without('', 'pre hostname-bin'),
  ag: without('', 'pager'),
  ack: without('', 'pager output ackrc'),
  bat: without('', 'pager'),
  batcat: without('', 'pager'),
  delta: without('', 'pager'),
  less: all(
    without('kKoO', 'lesskey-file lesskey-src lesskey-content log-file LOG-FILE'),
    args => !args.some(arg => arg.startsWith('+!')),
  ),
  more: args => !args.some(arg => arg.startsWith('+!')),
  most: any,
  man: without('PHCM', 'pager html config-file manpath'),
  ...each('apropos whatis tldr cheat'),
  info: without('', 'restore init-file'),
  ...each('vim vi nvim nano pico emacs micro code subl open xdg-open hx kate gedit view', opened),
  rsync: only(
    'avzrlptgoDnhPuxiHAXSqcWmkKLRCOJ0468',
    'archive verbose recursive dry-run delete delete-after delete-before delete-excluded exclude include exclude-from progress info stats human-readable checksum compress update existing ignore-existing size-only times perms links partial itemize-changes no-owner no-group no-perms chmod bwlimit max-size min-size relative backup backup-dir inplace mkpath quiet help version timeout rsh prune-empty-dirs whole-file copy-links safe-links',
    'e',
  ),
  ...each('sdiff diff3', without('', 'diff-program')),
  pandoc: without('FLd', 'filter lua-filter defaults pdf-engine data-dir extract-media'),
  'run-parts': args => args.some(arg => /^--(?:test|list)$/.test(arg)),
  ...each('at batch crontab', any), // the rules about what runs later ask about everything but lists
  ...each(
    'shutdown reboot halt poweroff mkfs mkfs.ext4 mkfs.vfat fdisk parted mkswap sgdisk sfdisk debugfs',
    any,
  ), // rules of their own
};
