// Variables that a command sets: which of them cannot lead a program to other code, other files or another address. Pure.
import { isUnknown, UNKNOWN } from '../command.ts';
import { zoneOf } from '../paths.ts';
import type { Judged } from '../rules/rule.ts';
import { settings } from '../unwrap/by-variable.ts';

/** Names that programs obey. Every other name is a word of the project's own. */
const OBEYED =
  /^(?:PATH|HOME|ENV|SHELL|IFS|CDPATH|GLOBIGNORE|SHELLOPTS|BASHOPTS|BASH_\w+|PROMPT_COMMAND|(?:LD|DYLD|GIT|GCONV|NPM_CONFIG|PIP|UV|CARGO|RUSTC?|PERL\w*|RUBY|BUNDLE|PYTHON|NODE|DENO|BUN|GO|MAKE|GRADLE|MAVEN|JAVA|_JAVA|JDK|SBT|XDG|DOCKER|SSH|RSYNC|LESS|TAR|GREP|ZDOTDIR|TERMINFO|NLS|LOC|PKG_CONFIG|CMAKE|CTEST|CCACHE|SUDO|SYSTEMD|GPG|GNUPG|CURL|WGET|KUBE|HELM|AWS|CLOUDSDK|TF|TERRAFORM|ANSIBLE|PG|PSQL|MYSQL|SQLITE|R|JULIA|LUA|PHP\w*|TCL\w*|GUILE|EMACS\w*|VIM\w*|EX|PYTEST|HERMES)(?:_\w+|PATH|LIB|OPT|OPTS|RC|HOME|FLAGS|FILES|INIT|STARTUP|OPEN|CLOSE|DB|SHELL|_)?\w*|\w*(?:_WRAPPER|_COMMAND|_CMD|_RSH|_ASKPASS|_SHELL|_EXEC|_OPTIONS|_OPTS|_CONFIG|PAGER|EDITOR|_PROXY)|(?:all|http|https|ftp|rsync|no)_proxy|npm_config_\w+|VISUAL|BROWSER|MANOPT|\w*FLAGS|CC|CXX|CPP|LD|AR|AS|CLASSPATH|MANPATH|INFOPATH|PS\d|HISTFILE|INPUTRC|OPENSSL_CONF|KRB5_CONFIG)$/;

/** Of those: only told how to speak, how much to use, who is speaking. */
const PLAIN =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_(?:TERMINAL_PROMPT|MERGE_AUTOEDIT|LFS_SKIP_SMUDGE|OPTIONAL_LOCKS|TRACE\w*|DEPTH|COMMIT|BRANCH|SHA|TAG|REF|USER|EMAIL|NAME)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|WARNINGS|IOENCODING|HASHSEED|UTF8|FAULTHANDLER|TRACEMALLOC|ASYNCIODEBUG|NOUSERSITE|_VERSION)|NODE_(?:ENV|DEBUG|NO_WARNINGS|VERSION|APP_INSTANCE)|CARGO_(?:TARGET_DIR|TERM_\w+|INCREMENTAL|NET_OFFLINE|PROFILE_\w+)|RUST_(?:LOG|BACKTRACE|TEST_THREADS|MIN_STACK)|GO(?:OS|ARCH|MAXPROCS|TOOLCHAIN|_ENV|_VERSION|111MODULE|DEBUG|GC)|PIP_(?:NO_\w+|DISABLE_\w+|DEFAULT_TIMEOUT|QUIET|VERBOSE)|npm_config_(?:yes|loglevel|fund|audit|progress|color)|NPM_CONFIG_(?:YES|LOGLEVEL|FUND|AUDIT|PROGRESS|COLOR)|no_proxy|NO_PROXY|AWS_(?:REGION|DEFAULT_REGION|PROFILE|PAGER)|TF_(?:LOG|IN_AUTOMATION|INPUT|VAR_\w+|WORKSPACE)|ANSIBLE_(?:HOST_KEY_CHECKING|FORCE_COLOR|STDOUT_CALLBACK)|PG(?:USER|PASSWORD|DATABASE|PORT|HOST|CONNECT_TIMEOUT)|MYSQL_(?:USER|PWD|DATABASE|ROOT_PASSWORD|HOST|PASSWORD)|DOCKER_(?:BUILDKIT|DEFAULT_PLATFORM|CLI_HINTS)|COMPOSE_\w+|CLOUDSDK_(?:CORE_PROJECT|CORE_DISABLE_PROMPTS)|DENO_(?:ENV|NO_\w+)|LESS|JAVA_HOME|R_\w+_(?:LEVEL|COUNT)|VIMINIT_NONE|SSH_AUTH_SOCK|CMAKE_(?:BUILD_TYPE|BUILD_PARALLEL_LEVEL|EXPORT_COMPILE_COMMANDS|GENERATOR)|CTEST_OUTPUT_ON_FAILURE|EXIT\w*|EXAMPLE\w*|RESULT\w*|REPO\w*|REF\w*|RUN\w*|ROOT\w*|GOAL\w*|GOOD\w*|R|PG|GO|PIP|UV)$/;

const COMPILER =
  /^(?:(?:ccache|sccache|distcc) )?(?:[\w-]+-)?(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|tcc|icc|musl-gcc|emcc|ld|ar|as|cpp)(?:-[\d.]+)?$/;
/** What runs is looked at where these are followed. */
const FOLLOWED =
  /^(?:\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_SSH_COMMAND|PS\d|\w*_ASKPASS)$/;
const SEARCHED =
  /^(?:PATH|PYTHONPATH|NODE_PATH|GOPATH|GOBIN|CLASSPATH|PERL5LIB|RUBYLIB|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|PKG_CONFIG_PATH|MANPATH|INFOPATH|LD_RUN_PATH|CMAKE_PREFIX_PATH)$/;
/** Only what is made again lies there. */
const CACHES =
  /^(?:XDG_CACHE_HOME|GOCACHE|GOMODCACHE|GOTMPDIR|PIP_CACHE_DIR|UV_CACHE_DIR|NPM_CONFIG_CACHE|npm_config_cache|PYTHONPYCACHEPREFIX|CCACHE_DIR|RUFF_CACHE_DIR)$/;
const PLACED =
  /^(?:HOME|XDG_\w+|KUBECONFIG|GNUPGHOME|CARGO_HOME|GOCACHE|GOMODCACHE|PIP_CACHE_DIR|UV_CACHE_DIR|NPM_CONFIG_CACHE|npm_config_cache|GRADLE_USER_HOME|PYTHONPYCACHEPREFIX|PYTHONUSERBASE|DOCKER_CONFIG|HELM_\w+|TF_DATA_DIR|\w+_CONFIG|CCACHE_DIR|NODE_EXTRA_CA_CERTS|VIRTUAL_ENV|RUSTUP_HOME)$/;
/** By name: what its value may look like. */
const VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:NODE_OPTIONS)$/,
    /^(?:--(?:max-old-space-size=\d+|no-warnings|experimental-vm-modules|enable-source-maps|trace-[\w-]+|openssl-legacy-provider|no-deprecation|unhandled-rejections=\w+|experimental-[\w-]+|import=?\s?[\w@-][\w@/-]*|(?:require|-r)[= ][\w@-][\w@/-]*|inspect(?:=[\d:.a-z]*)?)\s*)*$/,
  ],
  [/^(?:MAKEFLAGS)$/, /^-{0,2}[jknsB]*\s?\d*$/],
  [/^(?:GOFLAGS)$/, /^(?:-(?:mod=\w+|v|race|count=\d+|trimpath|tags=[\w,]+|buildvcs=\w+)\s*)*$/],
  [
    /^(?:RUSTFLAGS|RUSTDOCFLAGS)$/,
    /^(?:-(?:D|A|W) ?\w+\s*|-C ?(?:target-cpu|opt-level|debuginfo|instrument-coverage)(?:=[\w-]+)?\s*)*$/,
  ],
  [/^(?:RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER)$/, /^s?ccache$|^$/],
  [
    /^(?:JAVA_OPTS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|SBT_OPTS|JDK_JAVA_OPTIONS)$/,
    /^(?:-(?:X(?:m[xsn]|ss)\w+|D[\w.]+=[\w./:-]*|ea|server)\s*)*$/,
  ],
  [/^(?:PYTEST_ADDOPTS)$/, /^(?:-(?:[vqxs]+|-tb=\w+|-color=\w+|-maxfail=\d+|k \w+)\s*)*$/],
  [/^(?:all|http|https|ftp)_proxy$|_PROXY$/, /^$|^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?\/?$/],
  [/^(?:CC|CXX|CPP|LD|AR|AS)$/, COMPILER],
  [/^(?:C|CXX|CPP|LD|F|FC|AR|OBJC)FLAGS$/, /^(?!.*(?:plugin|wrapper|specs|-B|@))[-\w\s=.,+/:$()\uE000"']*$/],
  [/^SHELL$/, /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da|k|fi)?sh$/],
  [/^DOCKER_HOST$/, /^unix:\/\/\/(?:var\/)?run\/|^$/],
  [/^IFS$/, /^[\s,:;|=/-]*$/],
  // For all but shells it is a word such as `production`; for them there is a rule.
  [/^ENV$/, /^[\w-]*$/],
];

/** The name of a variable that could lead elsewhere; undefined when none does. */
export function leadingVariable(command: Judged): string | undefined {
  return settings(command).find(([name, value]) => !isHarmless(name, value, command))?.[0];
}

function isHarmless(name: string, value: string, command: Judged): boolean {
  if (isForeign(name, value, command)) return false;
  if (!OBEYED.test(name) || PLAIN.test(name) || FOLLOWED.test(name)) return true;
  if (value === '') return true;
  if (SEARCHED.test(name)) return value.split(':').every(part => isSafeFolder(part, name, command));
  if (CACHES.test(name)) return !isUnknown(value);
  if (PLACED.test(name)) return !isUnknown(value) && isPlace(command.locate(value));
  const rule = VALUES.find(([names]) => names.test(name));
  return rule?.[1].test(value) ?? false;
}

/** A name that nobody knows, set for one program, to a place where others may have put something. */
function isForeign(name: string, value: string, { program, locate, assignments }: Judged): boolean {
  const isForProgram = program !== '' && assignments.has(name) && /^[A-Z]/.test(name);
  if (!isForProgram || !/^[/~]/.test(value) || CACHES.test(name)) return false;
  return (
    zoneOf(locate(value)) === 'temp' &&
    !/TE?MP|LOG|OUT|DEST|CACHE|PID|SOCK|REPORT|COVERAGE|TARGET_DIR|DATA/.test(name)
  );
}

function isSafeFolder(part: string, name: string, { locate, variables }: Judged): boolean {
  if (part === UNKNOWN)
    return variables.every(
      each => each === name || each === 'PATH' || /_(?:HOME|ROOT|DIR|PREFIX)$/.test(each),
    );
  // For programs that are found by name an empty part and a dot mean whatever folder one stands in.
  if (part === '' || part === '.') return name !== 'PATH';
  const zone = zoneOf(locate(part));
  return !(zone === 'temp' || zone === 'device' || zone === 'null') && !/^~?\/\.(?:ssh|hermes)/.test(part);
}

function isPlace(located: string): boolean {
  const zone = zoneOf(located);
  return zone === 'inside' || zone === 'null' || /^~\/\.(?:cache|config|local|kube)(?:\/|$)/.test(located);
}
