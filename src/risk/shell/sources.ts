// Where code comes from that a command would run: from elsewhere, from a file, from a program that prints it.
import { operands, type SimpleCommand } from '../command.ts';
import { descriptorOf } from './redirections.ts';

const DOWNLOADERS = new Set(
  'curl wget wget2 fetch aria2c axel http https xh lynx w3m links nc ncat netcat ftp lftp tftp ssh dig nslookup socat telnet scp rsync sftp GET lwp-request iwr Invoke-WebRequest gsutil aws'.split(
    ' ',
  ),
);
/** Programs that print shell code about themselves, made to be evaluated. */
const SETTERS =
  /^(?:ssh-agent|gpg-agent|direnv|pyenv|rbenv|nodenv|goenv|jenv|asdf|mise|brew|starship|zoxide|fnm|thefuck|kubectl|helm|gh|conda|mamba|micromamba|dircolors|opam|minikube|docker-machine|rustup|resize|register-python-argcomplete|atuin|oh-my-posh|k3d|kind|flux|argocd|aws-vault|luarocks|lesspipe|mcfly|hermes|keychain|tput|stty|locale|getopt|xdg-user-dir)$/;

/** Brings what others wrote onto this machine. */
export function isFetching({ program, args }: SimpleCommand): boolean {
  return (
    DOWNLOADERS.has(program) ||
    (program === 'git' && args.includes('clone')) ||
    (program === 'gh' && args[1] === 'clone')
  );
}

/**
 * A file that is printed and run is the same as a file that is run: `cat x | sh` and `sh < x` are judged as `sh x`, which is
 * not asked about.
 */
export function isHarmlessSource(command: SimpleCommand): boolean {
  const { program, args } = command;
  if (program === 'cat') {
    const paths = operands(command).filter(path => path !== '-');
    if (paths.length === 0) return command.input?.isOpaque !== true;
    return !paths.some(path => (descriptorOf(path) ?? 0) > 0);
  }
  return program === '' || SETTERS.test(program) || /^completions?$/.test(args[0] ?? '');
}
