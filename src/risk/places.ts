// The places that matter by name: what starts by itself, what holds keys, what decides about rights, what is Hermes' own.
import { couldBe } from './paths.ts';

/** Many patterns as one for each kind of letters: a path is looked at once, not fifty times. */
function together(patterns: readonly RegExp[]): readonly RegExp[] {
  return ['', 'i'].flatMap(flags => {
    const same = patterns.filter(pattern => pattern.flags === flags).map(({ source }) => `(?:${source})`);
    return same.length === 0 ? [] : [new RegExp(same.join('|'), flags)];
  });
}

const STARTS = together([
  /^~\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|kshrc|cshrc|tcshrc|login|inputrc|xinitrc|xprofile|xsessionrc|pam_environment|vimrc|pythonrc|gdbinit|envrc|gitconfig|condarc)$/,
  /^~\/\.config\/(?:fish|autostart|systemd|git|environment\.d|nvim)(?:\/|$)/,
  /^~\/\.oh-my-zsh(?:\/|$)/,
  /^\/etc\/(?:profile|bash\.bashrc|bashrc|zshrc|environment|crontab|anacrontab|rc\.local|inittab|ld\.so\.(?:preload|conf)|gitconfig)$/,
  /^\/etc\/(?:profile\.d|zsh|cron\.(?:d|hourly|daily|weekly|monthly|allow|deny)|systemd|init\.d|init|rc\d?\.d|xdg\/autostart|update-motd\.d|ssh|ld\.so\.conf\.d|udev|network\/if-up\.d|apt\/apt\.conf\.d)(?:\/|$)/,
  /^\/var\/spool\/(?:cron|at)(?:\/|$)/,
  /^\/(?:usr\/)?(?:local\/)?lib\/systemd(?:\/|$)/,
  /(?:^|\/)\.ssh\/(?:authorized_keys2?|config|rc|environment)$/,
  /(?:^|\/)authorized_keys2?$/,
  /(?:^|\/)\.git\/(?:hooks(?:\/|$)|config$)/,
  /(?:^|\/)\.envrc$/,
  /(?:^|\/)Library\/Launch(?:Agents|Daemons)(?:\/|$)/,
  /(?:site|user)customize\.py$/,
]);
const STARTS_SAMPLES = [
  '~/.bashrc',
  '~/.profile',
  '~/.zshrc',
  '~/.ssh/authorized_keys',
  '/etc/crontab',
  '/etc/profile',
  '~/.bash_profile',
  '~/.ssh/config',
];

const KEYS = together([
  /(?:^|\/)\.ssh\/?(?:\*|id_[^/]*|identity|[^/]*\.(?:pem|key|ppk))?$(?<!\.pub)/,
  /(?:^|\/)\.(?:ssh|aws|gnupg|azure)\/.*[\uE000*?[]/,
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.(?:bak|old))?$/,
  /(?:^|\/)\.aws(?:\/(?:credentials|config|sso.*|\*))?$/,
  /(?:^|\/)\.config\/(?:gcloud|gh|hub|doctl|op|rclone|sops)(?:\/|$)/,
  /(?:^|\/)\.azure(?:\/|$)/,
  /(?:^|\/)\.kube(?:\/config)?$|(?:^|\/)kubeconfig$|^\/etc\/kubernetes\/.*\.conf$|^\/etc\/rancher\/.*\.yaml$/,
  /(?:^|\/)\.docker\/config\.json$/,
  /^~\/\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|mylogin\.cnf|git-credentials|vault-token|s3cfg|boto|dbshell|rediscli_auth|terraformrc|gnupg.*|password-store.*|electrum.*|bitcoin.*|ethereum.*)$/,
  /(?:^|\/)\.(?:netrc|pgpass|git-credentials|htpasswd)$/,
  /(?:^|\/)\.gnupg(?:\/|$)/,
  /(?:^|\/)\.terraform\.d\/credentials/,
  /(?:^|\/)\.(?:cargo|gem)\/credentials/,
  /^~\/\.(?:bash|zsh|sh|mysql|psql|python|node_repl|rediscli|sqlite)_history$|^~\/\.histfile$/,
  /^\/etc\/(?:g?shadow-?|sudoers.*|krb5\.keytab|security\/opasswd|master\.passwd)$/,
  /^\/etc\/(?:ssl\/private|NetworkManager\/system-connections|wireguard|openvpn\/.*\.key|letsencrypt\/(?:live|archive))(?:\/|$)/,
  /^\/etc\/ssh\/ssh_host_[^/]*_key$/,
  /^\/proc\/.+\/(?:environ|mem|maps)$/,
  /^~\/\.(?:m2\/settings(?:-security)?\.xml|gradle\/gradle\.properties|dockercfg|composer\/auth\.json|config\/composer\/auth\.json)$/,
  /^\/(?:var\/)?run\/secrets(?:\/|$)/,
  /(?:^|\/)(?:\.mozilla|\.config\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge))(?:\/|$)/,
  /(?:^|\/)(?:logins\.json|key[34]\.db|Login Data|Cookies|wallet\.dat)$/,
  /(?:^|\/)Library\/(?:Keychains|Cookies)(?:\/|$)/,
  /(?:^|\/)\.local\/share\/keyrings(?:\/|$)/,
  /(?:^|\/)(?:privkey|private|server|tls|ssl|ca|client|deploy|signing)[^/]*\.(?:pem|key|p12|pfx)$/i,
  /(?:^|\/)[^/]*\.(?:kdbx|keystore|jks|ppk|pfx|p12)$/i,
  /(?:^|\/)\.env(?:\.(?!example|sample|template|dist|defaults?|schema|test|ci|vault)[\w-]+)?$/,
  /(?:^|\/)(?:credentials|service[-_]?account[^/]*|client_secrets?|secrets?)\.(?:json|ya?ml|toml|ini|txt|env)$/i,
  /(?:^|\/)wp-config\.php$/,
  /(?:^|\/)(?:cookies\.sqlite|Login Data(?: For Account)?|Web Data)$/,
  /(?:^|\/)Library\/Application Support\/(?:Google\/Chrome|Firefox|Chromium|BraveSoftware|Microsoft Edge)(?:\/|$)/,
  /(?:^|\/)\.hermes$/,
]);
const KEY_SAMPLES = [
  '~/.ssh/id_rsa',
  '~/.ssh/id_ed25519',
  '~/.aws/credentials',
  '/etc/shadow',
  '/etc/sudoers',
  '~/.netrc',
  '~/.bash_history',
  '/etc/gshadow',
  '~/.git-credentials',
  '~/.kube/config',
  '~/.docker/config.json',
  './.env',
  '~/.pgpass',
  '/proc/1/environ',
  '/proc/self/environ',
  '~/.npmrc',
  '~/.pypirc',
  '~/.my.cnf',
  '~/.aws/config',
  '~/.gnupg/secring.gpg',
  '~/.config/gh/hosts.yml',
  '~/.config/gcloud/credentials.db',
  '~/.azure/accessTokens.json',
  '~/.local/share/keyrings/login.keyring',
  '~/.mozilla/firefox/a/cookies.sqlite',
  '~/.hermes/.env',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssl/private/server.key',
  '/run/secrets/token',
];

const RIGHTS = together([
  /^\/etc\/(?:passwd|group|g?shadow|sudoers|subuid|subgid|login\.defs|securetty|hosts\.(?:allow|deny)|doas\.conf|polkit-1.*|pam\.conf|security\/.*|selinux\/.*|apparmor\.d\/.*)-?$/,
  /^\/etc\/(?:sudoers\.d|pam\.d)(?:\/|$)/,
  /^\/proc\/sys(?:\/|$)|^\/sys(?:\/|$)|^\/proc\/sysrq-trigger$/,
  /^\/etc\/(?:sysctl\.conf|sysctl\.d\/.*|modules|modprobe\.d\/.*)$/,
]);
const RIGHTS_SAMPLES = ['/etc/passwd', '/etc/shadow', '/etc/sudoers', '/etc/group'];

/** Folders of a user that come first on the path, and programs that everybody starts by name. */
const SHADOWS =
  /^~\/(?:\.local\/)?bin\/(?:ls|cat|cp|mv|rm|cd|ps|id|su|sudo|ssh|scp|git|sh|bash|zsh|env|grep|sed|awk|find|tar|curl|wget|less|vi|vim|nano|make|gcc|cc|node|npm|npx|python\d?|pip\d?|perl|ruby|docker|kubectl|systemctl|which|chmod|echo|test|true|kill|df|du|top|man|gpg|rsync|crontab|passwd)$/;

const OURS = [/(?:^|\/)\.hermes(?:\/|$)/];

export function startsByItself(located: string): boolean {
  return couldBe(located, STARTS, STARTS_SAMPLES);
}

export function holdsKeys(located: string): boolean {
  return couldBe(located, KEYS, KEY_SAMPLES);
}

export function decidesRights(located: string): boolean {
  return couldBe(located, RIGHTS, RIGHTS_SAMPLES);
}

/** A file there would run in place of a program of the system. */
export function shadowsProgram(located: string): boolean {
  return SHADOWS.test(located);
}

/** Folders in which a bare name means something to more than the work: a home folder itself, and what is hidden in it. */
const TELLING = /^(?:\/|~|\/etc(?:\/.*)?|~\/\.(?:ssh|config|hermes|gnupg|aws|kube|docker)(?:\/.*)?)$/;

export function isTelling(located: string): boolean {
  return TELLING.test(located);
}

/** Folders with keys somewhere below them. */
const HOLDS_KEYS =
  /^(?:\/|~|~\/\.\*|~\/\.?\[.*|~\/\.(?:config|local|local\/share|docker|mozilla)|\/(?:home|Users|root|etc|proc|run|var\/run|export|export\/home|home\/\*)|\.\.(?:\/\.\.)+)$/;
/** Folders in which a file of the right name is run or read by itself. */
const HOLDS_STARTS =
  /^(?:\/|~|~\/\.(?:config|ssh|config\/.*)|\/(?:etc|root|home|Users|usr|usr\/(?:local\/)?s?bin|bin|sbin)|~\/(?:\.local\/)?bin|\.\.(?:\/\.\.)+)$/;

/** Whether what reads a whole folder there reads keys too. */
export function containsKeys(located: string): boolean {
  return HOLDS_KEYS.test(located) || holdsKeys(located);
}

/** Whether what puts unknown names there may put one that starts by itself. */
export function containsStarts(located: string): boolean {
  return HOLDS_STARTS.test(located) || startsByItself(located);
}

export function isHermes(located: string): boolean {
  if (!/\.hermes|[*?[\uE000]/.test(located)) return false;
  return couldBe(located, OURS, ['~/.hermes/config.yaml', '~/.hermes/state.db']);
}
