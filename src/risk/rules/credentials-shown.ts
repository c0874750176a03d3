// Variables of the environment whose value would be shown.
import type { Rule } from './rule.ts';
import { SECRET_WORD } from './secret-word.ts';

const SECRET_NAME =
  /(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|PASS|API_?KEY|APIKEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?|AUTH)(?:_|$)|(?:SECRET|TOKEN|PASSWORD|APIKEY)$|^AWS_(?:SECRET|SESSION)|^DATABASE_URL$|^PGPASSWORD$/;
/** Nothing of what they read comes out again: they count, or they log in with it. */
const COUNTERS =
  /^(?:wc|(?:md5|sha\d+|b2|ck)?sum|shasum)(?:\s+-[a-z\d]+)*\s*$|^(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|gh|glab)\s[^;|&<>$`]*(?:--password-stdin|--with-token)/;

export const shownVariableRules: readonly Rule[] = [
  {
    id: 'credentials.variable',
    threatens: 'credentials',
    severity: 'medium',
    reason: 'Shows the value of a variable that looks like a secret.',
    programs: [
      'echo',
      'printf',
      'printenv',
      'env',
      'set',
      'export',
      'declare',
      'grep',
      'egrep',
      'rg',
      'curl',
      'wget',
      'compgen',
      'ps',
      '@environment',
    ],
    matches: ({ program, args, variables, input, outlet, redirections }) => {
      if (program === '@environment') return args[0] === '*' || SECRET_NAME.test(args[0] ?? '');
      // Without a dash, `e` asks for the environment of every process.
      if (program === 'ps') return args.some(arg => /^[a-zA-Z]*e/.test(arg));
      if (program === 'printenv') return args.some(arg => SECRET_NAME.test(arg));
      if (/grep$|^rg$/.test(program))
        return (
          (input?.sources.some(source =>
            ['env', 'printenv', 'set', 'export', 'declare', 'history'].includes(source.program),
          ) ??
            false) &&
          SECRET_WORD.test(args.join(' '))
        );
      if (program !== 'echo' && program !== 'printf') return false;
      const isSwallowed = outlet !== undefined && COUNTERS.test(outlet) && redirections.length === 0;
      return !isSwallowed && variables.some(name => SECRET_NAME.test(name));
    },
    positive: [
      'echo $AWS_SECRET_ACCESS_KEY',
      'printenv GITHUB_TOKEN',
      'env | grep -i token',
      'echo "key is ${OPENAI_API_KEY}"',
      'printenv | grep PASSWORD',
      "python3 -c 'import os; print(os.environ)'",
      "node -e 'console.log(process.env.API_KEY)'",
      'echo $API_KEY | base64',
      'echo ${API_KEY:0:40}',
      'ps axeww',
      'ps e -o pid',
    ],
    negative: [
      'echo $PATH',
      'ps aux',
      'ps -ef',
      'ps -e -o args',
      'env',
      'printenv HOME',
      'env | grep PATH',
      'echo "set GITHUB_TOKEN first"',
      'env | sort',
      'echo $API_KEY | wc -c',
      'echo ${API_KEY:+set} ${TOKEN:0:4}',
      'echo "$TOKEN" | sha256sum',
      'echo "$REGISTRY_PASSWORD" | docker login -u me --password-stdin x.example',
      'python3 -c \'import os; print(os.environ["HOME"])\'',
      "node -e 'console.log(process.env.NODE_ENV)'",
      'curl -H "Authorization: Bearer $TOKEN" https://api.example',
    ],
  },
];
