// Harmless programs: looking at the machine, its network, containers, clusters, clouds and databases. What they change there
// has rules of its own; a verb that is not listed here is asked about.
import { flagValues, isUnknown } from '../command.ts';
import { zoneOf } from '../paths.ts';
import type { Judged } from '../rules/rule.ts';
import { any, each, only, type Shape, telling, verbs, without } from './shape.ts';
import { areTame } from './tame.ts';
import { lies } from './whereabouts.ts';

const CURL_LONG =
  `silent show-error fail fail-with-body location head include verbose output remote-name remote-name-all write-out
  request header data data-raw data-binary data-urlencode data-ascii get user user-agent referer max-time connect-timeout retry
  retry-delay retry-all-errors retry-connrefused compressed cookie cookie-jar form form-string upload-file insecure cacert http1.1
  http2 http1.0 progress-bar no-progress-meter json url create-dirs range continue-at time-cond no-buffer ipv4 ipv6 globoff
  path-as-is max-redirs location-trusted tlsv1.2 tlsv1.3 limit-rate keepalive-time fail-early parallel version help
  oauth2-bearer basic remote-header-name output-dir raw trace-time stderr max-filesize request-target post301 post302`
    .split(/\s+/)
    .join(' ');
const curl = only('sSfLIivo:Ow:X:H:d:Gu:A:e:m:b:c:F:T:kC:z:N460#JqVhZr:', CURL_LONG);
const wget = without('e', 'execute config use-askpass input-file rejected-log warc-file unix-socket');

const SSH_OPTION =
  /^(?:StrictHostKeyChecking|ConnectTimeout|BatchMode|UserKnownHostsFile|ServerAlive\w+|IdentitiesOnly|LogLevel|Port|User|IdentityFile|RequestTTY|ControlMaster|ControlPersist|TCPKeepAlive|PasswordAuthentication|PubkeyAuthentication|PreferredAuthentications|Compression|ForwardAgent|ExitOnForwardFailure|AddKeysToAgent|VisualHostKey)[= ]/i;
const sshOptions: Shape = args => flagValues({ args }, 'o').every(option => SSH_OPTION.test(option));
/** Only words before the host are its own. */
const sshFlags = only('i:p:l:o:c:m:b:L:O:Q:ATtvqCN46nfGKkVxXYy');
const ownWords = (args: readonly string[], valued: string): readonly string[] => {
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-'); at++)
    if (valued.includes((args[at] ?? '').slice(-1)) && /^-[A-Za-z]+$/.test(args[at] ?? '')) at++;
  return args.slice(0, at);
};
const ssh: Shape = (args, command) => {
  const own = ownWords(args, 'iplocmbLQOJRDFSWwBEe');
  return sshFlags(own, command) && sshOptions(own, command);
};

const READS =
  /^(?:describe|list|get|head|show|ls|read|info|tail|cat|wait|validate|estimate|lookup|search|query|scan|filter|test|check|view|explain|status|version|help|presign|sts|logs?|whoami|current|account|configure|config|completion|batch-get|select|preview|print|dump|export|history|diff|top|events?|usage|detect|can-i|auth|login)(?:-|$)/;
/** Verbs of clouds say what they do in their first part; the rules know those that destroy. */
const cloud: Shape = args => {
  const words = args.filter(arg => !arg.startsWith('-'));
  const first = words.slice(0, 4);
  return (
    (first.some(word => READS.test(word)) && !first.some(word => CHANGES.test(word))) ||
    CLOUD_CHANGES.test(words.slice(0, 3).join(' ')) ||
    args.every(arg => /^(?:--help|--version|-v|help|version)$/.test(arg))
  );
};

const CHANGES =
  /^(?:create|delete|update|set|add|remove|put|attach|detach|start|stop|terminate|run|invoke|enable|disable|import|restore|move|grant|revoke|reset|rotate|assume|associate|authorize|modify|deploy|destroy|rm|mb|rb|mv|sync|publish|send|reboot|undelete|purge|apply)(?:-|$)/;
const CLOUD_CHANGES =
  /^(?:s3 (?:cp|mb|sync|mv)|s3api put-object|storage blob|ecr get-login|cloudformation (?:deploy|package)|lambda (?:invoke|update-function-code)|compute ssh|run deploy|app deploy|builds submit|functions deploy|projects|container clusters|ecs update-service|group create|acr build|webapp up)/;

const DOCKER_BUILD = without('', 'frontend secret ssh allow');
const container = verbs(
  {
    ...each(`ps images build run exec logs stop start restart inspect pull push tag stats version info rm rmi kill cp port top history
      diff events commit save load import export rename pause unpause wait attach create update search login logout buildx builder
      compose network volume image container system context manifest scout init help pod healthcheck`),
    build: DOCKER_BUILD,
    exec: any,
  },
  {
    valued: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'],
    flags: without('H', 'host config'),
  },
);
/** What it starts, and with which folders of the host, stands in its file. */
const fileInside: Shape = (args, { locate }) =>
  flagValues({ args }, 'f', 'file', 'env-file', 'project-directory').every(
    path => path !== '-' && !/^(?:temp|unknown|null|device)$/.test(zoneOf(locate(path))),
  );
const compose = verbs(
  each(
    'up down ps logs build exec run start stop restart pull push config images top events port pause unpause rm kill create cp ls version watch convert help',
  ),
  {
    valued: [
      '-f',
      '--file',
      '-p',
      '--project-name',
      '--profile',
      '--env-file',
      '--project-directory',
      '--parallel',
    ],
  },
);
const cluster = verbs(
  each(`get describe logs log apply diff explain top port-forward exec config rollout create delete label annotate scale cp auth
    api-resources api-versions cluster-info version completion run wait kustomize events options help project projects status new-app login whoami`),
  {
    valued: ['-n', '--namespace', '--context', '--kubeconfig', '--cluster', '--user', '-s', '--server', '-v'],
  },
);
const helm = verbs(
  each(
    'list ls lint template diff install upgrade get history repo search show status test pull dependency dep version env create package rollback uninstall delete completion help verify registry plugin',
    without('', 'post-renderer'),
  ),
  { valued: ['-n', '--namespace', '--kube-context', '--kubeconfig'] },
);

/** Clients of databases; what their statements and their own commands do is looked at. */
const SQLITE_COMMAND =
  /^\s*\.(?:tables?|schema|indexes|indices|dump|databases|headers?|mode|width|help|show|stats|timer|echo|quit|exit|separator|nullvalue|eqp|fullschema|version|changes|limit|lint|dbinfo|sha3sum|explain|print|dbconfig|bail)\b/i;
const SQL_REACHES =
  /\b(?:readfile|writefile|load_extension|edit|fsdir|lo_import|lo_export|pg_read_\w+|pg_ls_\w+|load_file|sys_exec|sys_eval|xp_cmdshell|dblink\w*|read_csv\w*|read_text|read_blob|read_json\w*|read_parquet|httpfs)\s*\(|\binto\s+(?:out|dump)file\b|\bload\s+data\b|\battach\b|\bprogram\b|\b(?:to|from)\s+'|\binstall\b|\bpragma\s+\w*(?:temp_store_directory|data_store_directory)/i;
const BACKSLASH =
  /\\(?!(?:d\w*\+?|l\+?|c|connect|conninfo|x|timing|q|h|\?|pset|a|t|encoding|password|z|sf|sv|n|r|b|w(?=\b(?!\s)))(?:\s|$|;))[a-z!]/i;
const sql: Shape = (args, { input, program }) => {
  const texts = [...args, ...(input?.text === undefined ? [] : input.text.split('\n'))];
  if (texts.some(text => SQL_REACHES.test(text))) return false;
  if (program === 'sqlite3') return !texts.some(text => /^\s*\./.test(text) && !SQLITE_COMMAND.test(text));
  return (
    !texts.some(text => BACKSLASH.test(text)) &&
    !texts.some(text => /^\s*(?:system|source|\\\.)\s/i.test(text))
  );
};
const sqliteFlags = only(
  '',
  '',
  'header noheader csv json line list column table markdown box html separator newline nullvalue readonly batch bail echo init-none version help interactive stats ascii tabs quote safe',
).bind(undefined);
/** Files of statements may hold commands for the shell. */
function isFedFromWork({ redirections, locate }: Judged): boolean {
  return redirections.every(
    ({ operator, target }) => operator !== '<' || lies(target, { locate }).inside || target === '/dev/null',
  );
}
const sqlite: Shape = (args, command) =>
  isFedFromWork(command) &&
  sqliteFlags(
    args.map(arg => arg.replace(/^--/, '-')),
    command,
  ) &&
  sql(args, command);

const openssl = verbs({
  ...each(
    'version x509 req s_client verify dgst sha256 sha1 md5 rand genrsa genpkey rsa pkey ec ecparam enc base64 ciphers speed asn1parse crl crl2pkcs7 pkcs7 pkcs12 passwd prime help list errstr s_time dhparam pkeyutl',
    without('', 'engine provider provider-path config'),
  ),
});

const systemctl = verbs(
  each(`status list-units list-unit-files list-timers list-sockets list-dependencies list-jobs is-active is-enabled is-failed is-system-running
    show cat help get-default show-environment start stop restart reload enable disable mask unmask daemon-reload reset-failed kill
    reboot poweroff halt suspend hibernate`),
  { valued: ['-u', '-t', '-p', '-n', '-o', '-H', '-M'] },
);
const packages = verbs(
  each(`list show search policy depends rdepends madison showpkg info provides repoquery history check-update download changelog help
    install remove purge update upgrade full-upgrade dist-upgrade autoremove autoclean clean reinstall add del fix moo
    outdated doctor leaves deps desc home config cat log uses services tap untap cleanup upgrade link unlink pin unpin shellenv bundle
    showhold hold unhold auto manual showmanual showauto refresh connections version`),
  { valued: ['-t'], flags: without('oc', 'option config-file') },
);

const REDIS =
  /^(?:ping|get|set|del|keys|ttl|pttl|info|scan|exists|expire|persist|type|dbsize|monitor|mget|mset|incr|decr|incrby|append|strlen|h(?:get|getall|set|del|keys|vals|len|exists|mget)|l(?:range|len|push|pop|index)|r(?:push|pop)|s(?:members|add|rem|card|ismember)|z(?:range|add|card|score|rank|rem)|x(?:len|range|info|read)|client|role|time|slowlog|memory|latency|echo|subscribe|publish|object|ttl|config|cluster|acl|lastsave|command|flushdb|flushall|shutdown|save|bgsave|rename|unlink)$/i;
/** Its words are one command; the rules know those that destroy. */
const redis: Shape = args => {
  const at = args.findIndex(
    (arg, index) =>
      !arg.startsWith('-') && !/^-(?:h|p|a|n|u|i|r|s|-user|-pass|-pattern)$/.test(args[index - 1] ?? ''),
  );
  if (args.some(arg => /^--(?:eval|rdb|pipe|cluster|functions-rdb)/.test(arg))) return false;
  const [verb = '', second = ''] = at === -1 ? [] : args.slice(at);
  if (/^config$/i.test(verb)) return /^get$/i.test(second);
  if (/^client$/i.test(verb)) return /^(?:list|info|id|getname)$/i.test(second);
  return at === -1 || REDIS.test(verb);
};

/** Statements on a database and its collections; its shell speaks JavaScript, which could reach everything. */
const mongo: Shape = args =>
  flagValues({ args }, 'eval').every(
    text =>
      /^\s*(?:printjson\()?(?:db|rs|sh|show|use)\b/.test(text) &&
      !/\b(?:require|load|process|eval|Function|constructor|import|run\w*Program|cat|ls|writeFile|removeFile|\$where|\$function)\b|`/.test(
        text,
      ),
  ) &&
  !args.some(arg => /\.m?js$/.test(arg) && /^[/~]/.test(arg)) &&
  !args.includes('--shell');

const sudo: Shape = any; // what it runs is looked at, and that it is root
const ip = verbs(
  { ...each('a addr address l link r ro route n neigh neighbour rule netns maddr tunnel -V') },
  { valued: ['-f', '-family', '-n', '-netns'] },
);

export const systemTable: Readonly<Record<string, Shape>> = {
  ...each(`whoami id groups who w users last lastlog tty hostname uname arch nproc uptime free vmstat iostat mpstat sar lscpu lsblk
    lsusb lspci lsmod lsof lsns lsipc lslocks findmnt blkid ps pgrep pidof pstree top htop btop iotop atop nmon dmesg locale getconf
    getent runlevel ss netstat atq crontab neofetch fastfetch screenfetch env printenv kill killall pkill
    fuser pwdx pmap modinfo getcap getfattr quota umount df sw_vers system_profiler vm_stat mdfind mdls
    launchctl sensors acpi nvidia-smi rocm-smi glxinfo vulkaninfo xrandr xdpyinfo fc-list
    uuidgen lsb_release cpuid dmidecode hwinfo inxi lshw service chkconfig
    ssh-agent ssh-keyscan
    iptables ip6tables iptables-save iptables-restore nft ufw firewall-cmd tcpdump tshark
    mysqldump mysqladmin mysqlshow pg_dump pg_restore pg_isready createdb dropdb mongodump mongorestore
    elasticsearch influx etcdctl consul nomad kafka-topics kafka-console-consumer rabbitmqctl
    su doas runuser nsenter`),
  ...each('journalctl', without('', 'vacuum-size vacuum-time vacuum-files rotate flush')),
  ...each(
    'timedatectl hostnamectl localectl loginctl',
    args =>
      !/^(?:set|terminate|kill|lock|unlock|enable|disable|attach|flush|activate)/.test(
        args.find(arg => !arg.startsWith('-')) ?? '',
      ),
  ),
  sysctl: (args, command) =>
    without('wp', 'write load system')(args, command) && !args.some(arg => arg.includes('=')),
  ...each(
    'ifconfig route arp',
    args =>
      args.filter(arg => !arg.startsWith('-')).length <= 1 && !args.some(arg => /^-[a-z]*[ds]$/.test(arg)),
  ),
  ...each(
    'ping ping6 traceroute tracepath mtr dig host nslookup whois',
    (args, command) => !args.some(isUnknown) || areTame(command),
  ),
  mount: args =>
    args.every(
      (arg, at) => /^-[lvVh]$/.test(arg) || /^(?:-t|-O)$/.test(arg) || /^-t$/.test(args[at - 1] ?? ''),
    ),
  dmesg: without('cCnDE', 'clear read-clear console-off console-level'),
  'ssh-keygen': without('DwsM', ''),
  'ssh-add': without('sSeKdDxX', ''),
  ...each(
    'gpg gpg2',
    only(
      'kKdvqao:u:r:',
      'list-keys list-secret-keys list-public-keys verify import decrypt fingerprint armor detach-sign sign clearsign recv-keys keyserver version help list-packets with-fingerprint keyid-format output local-user recipient encrypt symmetric batch yes no-tty list-sigs check-sigs search-keys dearmor export list-config homedir-none',
    ),
  ),
  ...each(
    'nc ncat netcat',
    args =>
      args.some(arg => /^-[a-zA-Z]*z/.test(arg)) || args.every(arg => /^-(?:h|-help|-version)$/.test(arg)),
  ),
  'redis-cli': redis,
  ...each('mongosh mongo', mongo),
  ...each('hermes hermes.js', any), // a rule of its own asks about all but reading
  pm2: args =>
    /^(?:list|ls|status|logs|show|describe|info|monit|jlist|prettylist|-v|--version)$/.test(args[0] ?? ''),
  supervisorctl: args => /^(?:status|tail|avail|version|help)$/.test(args[0] ?? ''),
  capsh: args => args[0] === '--print' || args[0] === '--version',
  busybox: args => args[0] === '--list' || args.length > 0,
  perf: any,
  starship: any,
  telnet: args => args.every(arg => /^(?:localhost|127\.[\d.]+|::1|\d+)$/.test(arg)),
  chroot: any,
  nginx: only('tTvVq'),
  ...each('apache2ctl apachectl httpd', args => /^(?:-[tvVSlLM]|configtest|status)$/.test(args[0] ?? '')),
  ...each('curl', curl),
  ...each('wget wget2', wget),
  ...each('http https xh httpie', without('', 'session config-dir proxy download-to')),
  aria2c: without(
    '',
    'on-download-complete on-download-start conf-path on-download-error on-download-stop on-bt-download-complete',
  ),
  ssh,
  ...each(
    'scp sftp',
    (args, command) => only('i:P:l:o:c:rpqvCBA46Tq')(args, command) && sshOptions(args, command),
  ),
  ...each(
    'docker podman nerdctl',
    (args, command) => container(args, command) && (!args.includes('compose') || fileInside(args, command)),
  ),
  ...each(
    'docker-compose podman-compose',
    (args, command) => compose(args, command) && fileInside(args, command),
  ),
  ...each('ctr crictl buildah skopeo', without('', 'runtime')),
  ...each('kubectl oc k microk8s.kubectl', cluster),
  ...each(
    'kubectx kubens stern kustomize kubeval kubeconform kind k3d minikube k3s argocd flux istioctl',
    any,
  ),
  helm,
  ...each(
    'aws gcloud az gsutil bq doctl flyctl fly heroku vercel netlify firebase supabase railway render wrangler linode-cli hcloud oci ibmcloud eksctl s3cmd mc',
    cloud,
  ),
  ...each(
    'psql mysql mariadb',
    (args, command) =>
      sql(args, command) &&
      isFedFromWork(command) &&
      flagValues({ args }, 'f', 'file').every(path => path === '-' || lies(path, command).inside),
  ),
  sqlite3: sqlite,
  openssl,
  systemctl,
  ...each(
    'apt apt-get apt-cache apt-mark dnf yum brew apk zypper snap flatpak port emerge nix-env choco scoop winget',
    packages,
  ),
  ...each('dpkg dpkg-query', args =>
    /^-(?:[lLsSpW]|-(?:list|listfiles|status|search|get-selections|print-\w+|compare-versions|version|help|show))/.test(
      args[0] ?? '',
    ),
  ),
  rpm: args => /^(?:-q|--query|--version|-V|--eval)/.test(args[0] ?? '') && args[0] !== '--eval',
  pacman: args => /^-(?:Q|S|F)/.test(args[0] ?? ''),
  sudo,
  ip,
  tmux: verbs(
    each(
      'ls list-sessions new new-session attach attach-session a has-session kill-session list-windows list-panes display-message display show-options info detach rename-session switch-client new-window split-window',
    ),
    { valued: ['-L'], flags: without('fSc', '') },
  ),
  screen: args => !args.some(arg => /^-(?:X|c)$/.test(arg)),
  vagrant: verbs(
    each(
      'up status halt reload ssh ssh-config global-status validate version suspend resume destroy box provision',
    ),
  ),
  ...each('lxc incus multipass', verbs(each('list ls info version exec shell find image'))),
  strace: args => !args.some(arg => /^(?:-\w*o)?\|/.test(arg)),
  dconf: args => args[0] === 'read' || args[0] === 'list',
  gsettings: args => /^(?:get|list)/.test(args[0] ?? ''),
  gdb: telling,
};
