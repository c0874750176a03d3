// Words that are known only when the command runs, and yet can be told to be tame: numbers, dates, names of files of the work.
import { isUnknown, type SimpleCommand } from '../command.ts';
import { readBy } from '../effects/reads.ts';

/** Set by every shell or every installation to something that is no secret and no file of keys. */
const USUAL =
  /^(?:[?!$#\-_]|RANDOM|SECONDS|LINENO|PPID|BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|OLDPWD|PATH|LANG|LC_\w+|TERM|COLUMNS|LINES|SHLVL|HOSTTYPE|MACHTYPE|BASH_VERSION|PIPESTATUS|OPTIND|SHELL|NODE_ENV|CI|JAVA_HOME|GOPATH|GOROOT|GOBIN|CARGO_HOME|NVM_DIR|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|ANDROID_HOME|ANDROID_SDK_ROOT|M2_HOME|MAVEN_HOME|GRADLE_HOME|PYTHONPATH|NODE_PATH|LD_LIBRARY_PATH|KUBECONFIG|DISPLAY|XDG_\w+|npm_package_\w+|GITHUB_(?:SHA|REF|REF_NAME|RUN_ID|WORKSPACE|REPOSITORY)|PORT|VERSION|DATE|MAKEFLAGS|EDITOR|PAGER|BASH|BASH_SOURCE|FUNCNAME|DIRSTACK|GROUPS|HISTSIZE|INSIDE_EMACS|COLORTERM|TERM_PROGRAM|STATUS|RESULT|BUILD_NUMBER)$/;

/** They print numbers, dates, or names; filters among them pass on what comes in. */
const PRINTERS =
  /^(?:date|gdate|nproc|seq|expr|bc|wc|hostname|uname|whoami|id|arch|tput|tty|pwd|basename|dirname|mktemp|tempfile|uuidgen|sleep|true|false|test|\[|:|cd|pushd|popd|shift|getconf|pgrep|pidof|lsof|fuser|docker|podman|kubectl|jobs|which|type|command|go|rustc|brew|xcrun|pkg-config|llvm-config|stat|du|df|md5sum|sha256sum|sha1sum|cksum|realpath|readlink|nvm|npm|yarn|pnpm|terraform|aws|gcloud|git|ls|find|gfind|fd|fdfind|rg|ag|sort|uniq|cut|head|tail|grep|egrep|fgrep|xargs|tac|comm|tee|cargo)$/;
const PRINTS_CONTENT = /^(?:head|tail|grep|egrep|fgrep|sort|uniq|cut|tac|comm)$/;

/** Whether all that is unknown in its words comes from tame sources. */
export function areTame({ variables, substituted, input, via }: SimpleCommand): boolean {
  if (!variables.every(name => USUAL.test(name)) || !substituted.every(isTameSource)) return false;
  const sources = via.includes('xargs') || via.includes('parallel') ? (input?.sources ?? []) : [];
  if (sources.length > 0) return sources.every(isTameSource);
  // Neither a variable nor an output that is known by name: a line that was read, or a parameter.
  return variables.length > 0 || substituted.length > 0;
}

function isTameSource(command: SimpleCommand): boolean {
  const { program, args } = command;
  if (program === '' || program.startsWith('@')) return true;
  // What is named in full, somewhere in its words, may be what it prints.
  if (!PRINTERS.test(program) || args.some(isOutside)) return false;
  const isListing =
    /grep$/.test(program) && args.some(arg => /^-[a-zA-Z]*[lcL]|^--(?:files|count)/.test(arg));
  return !PRINTS_CONTENT.test(program) || isListing || readBy(command).length === 0;
}

function isOutside(arg: string): boolean {
  return isUnknown(arg)
    ? false
    : /(?:^|[=+:,"'\s])(?:~|\/|\.\.)/.test(arg) && !/^\/(?:dev\/null|[^/]+\/[gimsp]*)$/.test(arg);
}
