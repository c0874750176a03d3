// Files and disks: what is overwritten, moved away or formatted.
import { flagValues, hasFlag, operands, UNKNOWN } from '../command.ts';
import { isRegenerable, locate, zoneOf } from '../paths.ts';
import { decidesRights, isHermes, startsByItself } from '../places.ts';
import { isHelp, type Judged, type Rule } from './rule.ts';

const DISK =
  /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme|mmcblk|disk|mapper\/|md\d|dm-|loop|sr\d|r?disk|zvol|mem$|kmem$|port$|\*)/;

/** Where a write changes the machine rather than the work. */
function isSystemFile(path: string): boolean {
  return zoneOf(path) === 'system' && !decidesRights(path) && !startsByItself(path) && !isHermes(path);
}

const writers = (command: Judged): string[] =>
  ['touch', 'mount'].includes(command.program) ? [] : command.writes.filter(isSystemFile);

export const hostFileRules: readonly Rule[] = [
  {
    id: 'host-files.disk',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Writes straight onto a disk or other device.',
    matches: command => (command.program === 'mount' ? [] : command.writes.filter(path => DISK.test(path))),
    positive: [
      'dd if=/dev/zero of=/dev/sda bs=1M',
      'cat image.iso > /dev/sdb',
      'echo x | tee /dev/nvme0n1',
      'cp x.img /dev/mmcblk0',
    ],
    negative: [
      'dd if=/dev/zero of=disk.img bs=1M count=10',
      'echo x > /dev/null',
      'ls /dev/sda',
      'cat x > /dev/stderr',
    ],
  },
  {
    id: 'host-files.format',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Formats, partitions or wipes a disk.',
    matches: command => {
      const { program, args } = command;
      if (isHelp(command)) return false;
      if (
        /^(?:mkfs(?:\..+)?|mke2fs|mkswap|wipefs|blkdiscard|mkdosfs|newfs(?:_.*)?|format|badblocks)$/.test(
          program,
        )
      )
        return namesDisk(command);
      if (/^(?:fdisk|sfdisk|gdisk|sgdisk|cfdisk|parted)$/.test(program))
        return (
          namesDisk(command) && !args.some(arg => /^(?:-l|--list|--version|-p|print|--print)$/.test(arg))
        );
      if (program === 'cryptsetup')
        return args.some(arg => /^(?:luksFormat|erase|luksErase|luksKillSlot|reencrypt)$/.test(arg));
      if (/^(?:lv|vg|pv)remove$/.test(program)) return true;
      if (/^(?:zpool|zfs)$/.test(program)) return /^(?:destroy|labelclear|rollback)$/.test(args[0] ?? '');
      if (program === 'vssadmin') return args[0] === 'delete';
      if (program === 'btrfs') return args.includes('delete');
      if (program === 'mdadm')
        return args.some(arg => /^(?:--zero-superblock|--stop|-S|--remove)$/.test(arg));
      if (program === 'hdparm') return args.some(arg => /security-erase|trim-sector/.test(arg));
      if (program === 'nvme') return /^(?:format|sanitize)$/.test(args[0] ?? '');
      return program === 'diskutil' && /^(?:erase|partition|secureErase|reformat|apfs)/i.test(args[0] ?? '');
    },
    positive: [
      'mkfs.ext4 /dev/sda1',
      'sudo wipefs -a /dev/sdb',
      'parted /dev/sda mklabel gpt',
      'zpool destroy tank',
      'cryptsetup luksFormat /dev/sdc',
      'lvremove -f vg0/data',
    ],
    negative: [
      'fdisk -l',
      'parted -l',
      'zpool status',
      'man mkfs',
      'lsblk -f',
      'mkfs.ext4 --help',
      'fdisk --help',
      'mkfs.ext4 disk.img',
      'parted x.img mklabel gpt',
    ],
  },
  {
    id: 'host-files.shred',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Overwrites files so that nothing brings them back.',
    programs: ['shred', 'scrub', 'nwipe', 'sfill', 'sdmem'],
    matches: command => {
      const files = operands(command, ['n', 's', 'iterations', 'size']).filter(
        path => zoneOf(path.startsWith('/') ? path : `./${path}`) !== 'temp',
      );
      return files.length > 0 ? files : command.args.some(arg => isUnknownWord(arg));
    },
    positive: ['shred -u secrets.db', 'shred -n 3 -z /dev/sda', 'find . -type f -exec shred -u {} \\;'],
    negative: ['shred --help', 'shred -u /tmp/x.key', 'echo shred'],
  },
  {
    id: 'host-files.system-file',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Writes into the files of the system.',
    matches: writers,
    positive: [
      'cp x /etc/hosts',
      'echo 1.2.3.4 evil >> /etc/hosts',
      'sed -i s/a/b/ /etc/nginx/nginx.conf',
      'curl -o /usr/local/bin/tool https://x.example/tool',
      'mv tool /usr/bin/',
      'tar -xzf x.tgz -C /',
      'truncate -s 0 /var/log/syslog',
      ': > /var/log/auth.log',
      'tee /etc/resolv.conf < x',
      'find . -fprint /etc/motd',
      'tar xPf x.tar',
      'split -b 1M x /usr/lib/x',
      'docker cp web:/a /etc/',
      "rename 's/a/b/' /usr/bin/*",
      "sed -n 'w /etc/hosts' x",
    ],
    negative: [
      'cat /etc/hosts',
      'cp /etc/hosts ./hosts',
      'sed s/a/b/ /etc/nginx/nginx.conf',
      'grep x /etc/fstab > out.txt',
      'echo x > /dev/null',
      'tar -xzf x.tgz -C /tmp/x',
      'curl -o tool https://x.example/tool',
      'find . -fprint out.txt',
      'tar -cPf x.tar src',
      'docker cp web:/etc/nginx/nginx.conf .',
      "sed 's/a/b/w out.txt' f",
    ],
  },
  {
    id: 'host-files.overwrite-outside',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Empties or overwrites a file outside the working folder.',
    matches: command => {
      const overwrites =
        command.redirections.flatMap(({ operator }) => (/^(?:>|>\||&>)$/.test(operator) ? [1] : [])).length >
          0 || ['truncate', 'dd', 'mv', 'cp', 'install'].includes(command.program);
      if (!overwrites || command.program === 'curl' || command.program === 'wget') return [];
      return command.writes.filter(
        path =>
          (zoneOf(path) === 'home' || zoneOf(path) === 'foreign') &&
          !isRegenerable(path) &&
          !startsByItself(path) &&
          !isHermes(path) &&
          isEmptying(command),
      );
    },
    positive: [
      '> ~/important.txt',
      ': > ~/notes.md',
      'truncate -s 0 ~/data.csv',
      'cat /dev/null > /data/db.sqlite',
    ],
    negative: ['echo hi > out.txt', 'ls > ~/listing.txt', 'truncate -s 0 app.log', 'make > build.log'],
  },
  {
    id: 'host-files.edit-outside',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Changes a file outside the working folder in place.',
    programs: [
      'sed',
      'gsed',
      'perl',
      'ruby',
      'ed',
      'ex',
      'rename',
      'prename',
      'file-rename',
      'mmv',
      'patch',
      'dos2unix',
      'unix2dos',
    ],
    matches: ({ writes, redirections }) =>
      writes.filter(
        path =>
          ['home', 'foreign', 'above'].includes(zoneOf(path)) &&
          !isRegenerable(path) &&
          !startsByItself(path) &&
          !redirections.some(({ target }) => path.endsWith(target.replace(/^[.~]\//, ''))),
      ),
    positive: [
      'sed -i d ~/notes.txt',
      "perl -pi -e 's/a/b/' ~/notes.txt",
      "sed --in-place=.b '/./d' ../other/config.yml",
    ],
    negative: [
      'sed -i s/a/b/ src/x.ts',
      'sed s/a/b/ ~/notes.txt',
      'sed s/a/b/ x > ~/y.txt',
      "perl -pe 's/a/b/' ~/notes.txt",
    ],
  },
  {
    id: 'host-files.write-outside',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Writes a file outside the working folder; what has that name already is lost.',
    onlyWith: 'everything',
    matches: ({ writes, program }) =>
      writes.length === 0 || ['touch', 'mount', 'rsync', 'scp', 'ssh-keygen'].includes(program)
        ? []
        : writes.filter(
            path =>
              ['home', 'foreign', 'above'].includes(zoneOf(path)) &&
              // A folder of programs is made again here, and is on the path there.
              (!isRegenerable(path) || /\/bin(?:\/|$)/.test(path)) &&
              !startsByItself(path),
          ),
    positive: [
      'echo x > ~/notes.txt',
      'cp a.txt ~/Documents/thesis.tex',
      'mv a ~/b',
      'cp tool ~/.local/bin/mytool',
      'cat a > ../other/config.yml',
      'curl -o ~/x https://x.example',
    ],
    negative: [
      'echo x > out.txt',
      'cp a b',
      'mv ~/Downloads/x.zip .',
      'ls > /dev/null',
      'tee ~/.cache/x/y < z',
    ],
  },
  {
    id: 'host-files.move-away',
    threatens: 'host-files',
    severity: 'high',
    reason: 'Moves whole folders or system files away, or into nothing.',
    programs: ['mv', 'gmv'],
    matches: command => {
      const words = operands(command, ['S', 't', 'suffix']);
      const sources = words.slice(0, hasFlag(command, 't', 'target-directory') ? undefined : -1);
      if (command.writes.includes('/dev/null')) return sources;
      const isDropped = command.writes.some(path => zoneOf(path) === 'temp');
      if (isDropped && sources.some(path => ['home', 'foreign'].includes(zoneOf(locate(path, command.cwd)))))
        return sources;
      return sources.filter(path => isMovedRoot(path));
    },
    positive: [
      'mv / /dev/null',
      'mv ~ /dev/null',
      'mv /etc /tmp/etc',
      'mv ~/* /tmp/',
      'mv important.txt /dev/null',
      'mv /usr/bin/sudo /tmp',
      'mv ~/project /dev/shm/',
    ],
    negative: ['mv a.txt b.txt', 'mv dist/* public/', 'mv /tmp/a /tmp/b', 'mv ~/Downloads/x.zip .'],
  },
  {
    id: 'host-files.mirror',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Deletes at the destination whatever the source does not have.',
    programs: ['rsync', 'robocopy', 'rclone', 'mirror'],
    matches: ({ program, args }) => {
      if (program === 'rclone')
        return (
          ['sync', 'purge', 'delete', 'deletefile', 'rmdirs'].includes(args[0] ?? '') &&
          !args.includes('--dry-run')
        );
      return (
        args.some(arg => /^--(?:del|delete(?:-\w+)*|remove-source-files)$|^\/(?:mir|purge)$/i.test(arg)) &&
        !args.some(arg => /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/.test(arg))
      );
    },
    positive: [
      'rsync -a --delete empty/ /home/me/',
      'rsync -av src/ dst/ --delete-after',
      'rclone sync . remote:bucket',
    ],
    negative: [
      'rsync -a src/ dst/',
      'rsync -an --delete a/ b/',
      'rsync --dry-run --delete a b',
      'rclone ls remote:',
    ],
  },
  {
    id: 'host-files.endless',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Fills the disk without end.',
    matches: command => {
      const isEndless =
        command.reads.some(path => /^\/dev\/(?:zero|u?random|full)$/.test(path)) || command.program === 'yes';
      const toFile = command.writes.filter(path => zoneOf(path) !== 'null');
      if (command.program === 'dd')
        return isEndless && !command.args.some(arg => arg.startsWith('count=')) ? toFile : [];
      if (command.program === 'fallocate')
        return /\d{3,}G|\dT/i.test(flagValues(command, 'l', 'length')[0] ?? '') ? toFile : [];
      return isEndless &&
        command.redirections.length > 0 &&
        ['cat', 'yes', 'tr', 'base64'].includes(command.program)
        ? toFile
        : [];
    },
    positive: ['dd if=/dev/zero of=fill.bin', 'yes > big.txt', 'cat /dev/urandom > x'],
    negative: [
      'dd if=/dev/zero of=fill.bin bs=1M count=5',
      'yes | head -5',
      'head -c 100 /dev/urandom > key.bin',
      'yes > /dev/null',
    ],
  },
  {
    id: 'host-files.unmount',
    threatens: 'host-files',
    severity: 'medium',
    reason: 'Mounts or unmounts file systems.',
    programs: ['umount', 'mount', 'swapoff', 'pivot_root', 'losetup', 'fusermount'],
    matches: ({ program, args }) =>
      args.length > 0 &&
      !(
        program === 'mount' &&
        args.every(
          arg => /^(?:-l|-t|-h|--help|--version|-V|--show-labels|\w+)$/.test(arg) && !arg.startsWith('/'),
        )
      ) &&
      !(program === 'losetup' && args.every(arg => /^-(?:a|l|j)|^--list|^--all/.test(arg))),
    positive: [
      'umount -a',
      'umount -l /home',
      'mount --bind / /mnt/x',
      'mount -o remount,rw /',
      'swapoff -a',
    ],
    negative: ['mount', 'mount -l', 'mount | grep ext4', 'findmnt', 'mount -t ext4'],
  },
];

/** A file in the working folder, or a temporary one, is an image that somebody makes. */
function namesDisk({ args, cwd }: Judged): boolean {
  return args.some(arg => {
    const zone = zoneOf(locate(arg, cwd));
    return !arg.startsWith('-') && zone !== 'inside' && zone !== 'temp';
  });
}

function isUnknownWord(word: string): boolean {
  return word.includes(UNKNOWN);
}

function isEmptying({ program, args, text }: Judged): boolean {
  if (program === '' || program === ':' || program === 'true' || program === 'truncate') return true;
  return program === 'cat' || program === 'cp' || program === 'install'
    ? args.includes('/dev/null')
    : (program === 'echo' || program === 'printf') &&
        /^(?:-n\s*)?$/.test(args.join(' ')) &&
        !text.includes('>>');
}

function isMovedRoot(path: string): boolean {
  const plain = path.replace(/(.)\/+$/, '$1');
  if (/^(?:~|\/|\.|\.\.|\*|\.\/\*|~\/\*|\/\*)$/.test(plain)) return plain !== '*' && plain !== './*';
  return zoneOf(plain) === 'system';
}
