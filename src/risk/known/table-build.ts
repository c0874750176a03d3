// Harmless programs: building, testing, formatting, packages. They run the project's own files, as `python3 app.py` does; the
// door looks at files that were made in the conversation.
import { flagValues } from '../command.ts';
import { all, any, each, only, type Shape, verbs, without } from './shape.ts';
import { staysInProject } from './stays.ts';
import { lies } from './whereabouts.ts';

/** Its file, and the folder it works in, belong to the work. */
const makePlaces: Shape = (args, command) =>
  flagValues({ args }, 'f', 'file', 'makefile', 'C', 'directory', 'I', 'include-dir').every(
    path => (path !== '-' && lies(path, command).inside) || /^\.\.(?:\/[\w.-]+)?$/.test(path),
  );
const makeFlags = only(
  'bBdef:iC:I:j:kl:nqrRsStvw#',
  'always-make directory file makefile jobs keep-going load-average dry-run just-print recon question silent quiet no-silent print-directory no-print-directory warn-undefined-variables no-builtin-rules no-builtin-variables touch ignore-errors output-sync trace version help environment-overrides print-data-base debug',
  'O',
);
/** Variables that make hands to a shell by habit; programs among them are followed. */
const LEADING = /^(?:MAKEFLAGS|MAKEFILES|SHELLFLAGS|\.SHELLFLAGS|VPATH|LD_\w+|PATH)=/;
const make: Shape = (args, command) =>
  makeFlags(
    args.filter(arg => !/^-j.?$/.test(arg)),
    command,
  ) &&
  makePlaces(args, command) &&
  !args.some(arg => LEADING.test(arg));

const cmake: Shape = (args, command) => {
  if (args[0] === '-E')
    return (
      /^(?:capabilities|echo|environment|time|sleep|compare_files|md5sum|sha256sum|cat|make_directory)$/.test(
        args[1] ?? '',
      ) && args[1] !== 'time'
    );
  if (args.includes('-P') || args.some(arg => /^-C(?!MAKE)/.test(arg))) return false;
  return (
    !args.some(arg => /^-D\w*(?:COMMAND|LAUNCHER|RULE_\w+|TOOLCHAIN_FILE|INCLUDE)\w*[:=]/i.test(arg)) ||
    command.args.length === 0
  );
};

/** Starters of projects that everybody uses; each fetches and runs a package. */
const STARTERS =
  /^(?:create-)?(?:react-app|vite|next-app|vue|svelte|astro|nuxt(?:-app)?|remix|expo-app|electron-app|t3-app|@vitejs\/app|solid|qwik)(?:@[\w.-]+)?$/;
const madeBy: Shape = args => {
  const [first] = args.filter(arg => !arg.startsWith('-'));
  return first === undefined || STARTERS.test(first);
};
const TOOLS =
  /^(?:tsc|eslint|prettier|jest|vitest|mocha|playwright|cypress|biome|@biomejs\/biome|vite|next|prisma|tsx|ts-node|ruff|black|mypy|pytest|isort|flake8|pylint|pre-commit|tox|nox|poetry|httpie|cookiecutter|mkdocs|typescript|rimraf|nodemon|concurrently|knip|depcheck|madge|npm-check-updates|serve|http-server|degit)(?:@[\w.^~-]+)?$/;
function isKnownTool(args: readonly string[]): boolean {
  return TOOLS.test(args.find(arg => !arg.startsWith('-')) ?? '');
}

const npm = verbs(
  {
    ...each(`install i add ci test t tst run run-script start stop restart build ls list ll la outdated view info show v explain why
      audit fund search uninstall un rm remove r update up upgrade prune dedupe ddp rebuild version pack ping root prefix
      bin docs home repo bugs help help-search doctor completion whoami cache link unlink pkg query sbom diff
      dist-tag access owner team publish unpublish deprecate token login logout profile`),
    config: args =>
      !/^(?:set|edit)$/.test(args[0] ?? '') ||
      /^(?:fund|audit|save-exact|progress|loglevel|color|engine-strict)(?:=|$)/.test(args[1] ?? ''),
    c: args => /^(?:get|ls|list)$/.test(args[0] ?? ''),
    get: any,
    ...each('init create', madeBy),
    ...each('exec x', args => isKnownTool(args)),
  },
  {
    valued: ['-w', '--workspace', '--prefix', '-C', '--loglevel'],
    flags: without('', 'script-shell node-options userconfig globalconfig shell editor viewer git'),
  },
);
const npmFlags = without('', 'script-shell node-options userconfig globalconfig shell editor viewer git');

/** Any word is a script of the project or a program of its packages. */
const scripts = all(
  without('', 'script-shell use-yarnrc userconfig globalconfig node-options shell-emulator'),
  args => {
    const [verb = '', ...rest] = args.filter(arg => !arg.startsWith('-'));
    if (/^(?:dlx|x)$/.test(verb)) return isKnownTool(rest);
    if (/^(?:create|init)$/.test(verb)) return rest[0] === undefined || STARTERS.test(rest[0]);
    return (
      !/^(?:npm|config|set|plugin|policies|exec)$/.test(verb) ||
      (verb === 'config' && /^(?:get|list)$/.test(rest[0] ?? '')) ||
      (verb === 'exec' && isKnownTool(rest))
    );
  },
);

const pip = verbs(
  each(
    'install list show freeze download check cache uninstall wheel search inspect index hash debug help completion config',
    without('', 'index-url extra-index-url find-links trusted-host target prefix root user proxy python log'),
  ),
  { flags: without('', 'python proxy log') },
);
const pipVerbs: Shape = (args, command) =>
  pip(
    args.map(arg => arg.replace(/^-i$/, '--index-url')),
    command,
  );

const goFlags = without('', 'toolexec exec vettool overlay modfile');
const go = verbs({
  ...each(
    'build test vet install get mod list fmt version env doc clean generate work tool help fix',
    goFlags,
  ),
  // A package with an address is fetched and run.
  run: (args, command) => goFlags(args, command) && !args.some(arg => /^[\w-]+\.[a-z]+\//.test(arg)),
  env: args => !args.some(arg => /^-[wu]$/.test(arg)),
  tool: args => /^(?:pprof|cover|nm|objdump|dist|compile|trace)$/.test(args[0] ?? ''),
});

const cargo = verbs(
  each(
    `build b test t run r check c clippy fmt doc d bench clean update add remove rm tree metadata search init new install
    uninstall fetch vendor fix nextest audit outdated expand deny machete watch version help verify-project pkgid locate-project
    package generate-lockfile report tarpaulin llvm-cov insta sqlx`,
    without('', 'config'),
  ),
  { flags: without('C', 'config') },
);

const compiler = all(
  without('B', 'wrapper fplugin specs Xlinker load plugin'),
  // Words from a file may be anything.
  args => !args.some(arg => arg.startsWith('@')),
);
const javaFlags = without('', 'javaagent agentlib agentpath XX:OnError XX:OnOutOfMemoryError');
const java: Shape = (args, command) =>
  javaFlags(
    args.map(arg => arg.split(':', 1)[0] ?? ''),
    command,
  ) && !args.some(arg => arg.startsWith('@') || arg.startsWith('-XX:On'));

/** Where a test runner takes its tests and settings from. */
const testPlaces =
  (...flags: readonly string[]): Shape =>
  (args, command) =>
    [...flagValues({ args }, ...flags), ...args.filter(arg => /^[/~]|^\.\.\//.test(arg))].every(
      path => lies(path.replace(/::.*$/, ''), command).inside,
    );
const pytest = all(
  testPlaces('c', 'rootdir', 'confcutdir', 'config-file', 'import-mode'),
  args =>
    !flagValues({ args }, 'p').some(name => !/^(?:no:[\w.:-]+|xdist|pytest_\w+|asyncio|cov)$/.test(name)),
);

const terraform = verbs(
  each(
    'init plan validate fmt show output state graph providers version workspace import refresh console get help test apply destroy taint untaint force-unlock login',
    any,
  ),
  { valued: [] },
);

/** Frameworks that run code from their words. */
const CODE_WORD = /^(?:runner|shell|tinker|dbshell|-e|-c|-r|--eval|--execute|--command|eval)$/;
const isFreeOfCode: Shape = args =>
  !args.some(arg => /(?:^|=)\/dev\/(?:fd\/|stdin$)/.test(arg)) &&
  !(args.some(arg => CODE_WORD.test(arg)) && args.some(arg => /[(;`]/.test(arg)));

const inProject = (table: Readonly<Record<string, Shape>>): Record<string, Shape> =>
  Object.fromEntries(
    Object.entries(table).map(([name, shape]) => [name, all(shape, staysInProject, isFreeOfCode)]),
  );

export const buildTable: Readonly<Record<string, Shape>> = inProject({
  ...each('make gmake bmake', make),
  ...each('cmake ccmake', cmake),
  ...each(
    'ninja ctest meson autoconf automake autoreconf aclocal libtoolize pkg-config scons waf xcodebuild ccache sccache distcc',
  ),
  npm: all(npm, npmFlags),
  ...each('yarn yarnpkg pnpm bun', scripts),
  // What they run is looked at, unless a flag brings it from elsewhere.
  ...each('npx bunx pnpx', without('pc', 'package call')),
  ...each('pip pip3 pipx', pipVerbs),
  ...each('gcc g++ cc c++ clang clang++ c99 tcc gfortran nvcc cpp', compiler),
  ...each(
    'ld ar as nm objdump objcopy readelf size strip ranlib ldd addr2line c++filt gcov lcov genhtml llvm-cov llvm-profdata',
  ),
  ...each('clang-format clang-tidy cppcheck iwyu include-what-you-use astyle'),
  go,
  ...each('gofmt goimports golangci-lint staticcheck gotestsum gopls mockgen wire air gofumpt'),
  cargo,
  ...each('rustc rustfmt rust-analyzer', without('', 'codegen linker sysroot')),
  rustup: verbs(
    each('show update component target toolchain default override which doc check help completions'),
  ),
  java,
  ...each('javac javap jar jdeps jlink kotlinc kotlin scalac', java),
  ...each(
    'mvn mvnw mvnd',
    all(
      without('', 'settings global-settings s gs'),
      args => !args.some(arg => /^(?:-D)?exec[.:]/.test(arg)),
    ),
  ),
  ...each('gradle gradlew', without('I', 'init-script build-file')),
  ...each(
    'ant sbt lein bazel bazelisk buck2 pants nx turbo lerna rush moon just task mage earthly dagger',
    without('', 'justfile init-script bazelrc'),
  ),
  ...each('dotnet msbuild nuget', without('', 'configfile')),
  ...each(
    'bundle bundler gem rake rails rspec rubocop minitest brakeman standardrb jekyll sidekiq puma',
    any,
  ),
  ...each('composer artisan phpunit phpstan psalm pint php-cs-fixer pest', any),
  ...each('mix elixirc rebar3 stack cabal ghc-pkg dune opam hlint ormolu', any),
  ...each('swift swiftc swiftlint swiftformat pod carthage fastlane', any),
  ...each('dart flutter pub zig nim nimble crystal shards v'),
  ...each('pytest py.test', pytest),
  ...each(`mypy pyright ruff black flake8 isort pyflakes bandit autopep8 yapf pydocstyle vulture radon pyupgrade djlint
    sphinx-build mkdocs coverage tox nox pre-commit uvicorn gunicorn hypercorn flask django-admin celery alembic streamlit
    jupyter nbconvert papermill build cookiecutter locust cython maturin dbt towncrier
    unittest venv virtualenv ensurepip compileall py_compile json.tool mypy.stubgen pip-compile pip-sync pip-audit safety
    pydoc tabnanny this calendar platform sysconfig site`),
  pylint: without('', 'init-hook load-plugins rcfile'),
  'http.server': args => !args.some(arg => /^(?:-d|--directory|--bind|-b|--cgi)/.test(arg)),
  ...each(
    'poetry pipenv uv pdm hatch rye conda mamba micromamba',
    without('', 'index-url default-index extra-index-url'),
  ),
  uvx: isKnownTool,
  ...each('pyenv rbenv nvm fnm volta asdf mise nodenv jenv corepack direnv sdk', any),
  ...each(
    `tsc eslint prettier jest vitest mocha ava tap jasmine karma cypress playwright biome oxlint stylelint xo standard
    vite next nuxt astro remix gatsby ng vue-cli-service react-scripts svelte-kit webpack rollup esbuild swc parcel tsup
    tsdown babel nodemon concurrently ts-node tsx prisma drizzle-kit knex sequelize typeorm graphql-codegen openapi-generator
    storybook start-storybook build-storybook create-react-app create-vite create-next-app degit npm-check-updates ncu knip
    depcheck madge size-limit changeset commitlint husky lint-staged rimraf cross-env dotenv
    sass postcss tailwindcss tailwind svgo c8 nyc tsd typedoc jsdoc markdownlint
    cspell alex write-good json-server http-server live-server kill-port shx npm-run-all run-s run-p wait-on nx turbo lerna rush only-allow
    @biomejs/biome @angular/cli expo react-native metro electron electron-builder capacitor ionic eas detox
    sort-package-json syncpack publint attw node-gyp`,
    without('', 'node-options'),
  ),
  serve: args => args.every(arg => !/^[/~]|^\.\./.test(arg)),
  terraform,
  tofu: terraform,
  ...each('tflint tfsec ansible-lint ansible-inventory'),
  'ansible-playbook': args => args.some(arg => /^--(?:check|syntax-check|list-\w+)$|^-C$/.test(arg)),
  ...each(
    'terragrunt packer pulumi cdk sam serverless sls',
    verbs(
      each(
        'plan preview diff synth synthesize list ls validate lint version init package build test stack config whoami about info fmt output show logs local print',
      ),
    ),
  ),
  ...each(`shellcheck shfmt hadolint actionlint yamllint markdownlint-cli2 markdownlint vale codespell typos gitleaks trivy
    semgrep sonar-scanner checkov dive cloc tokei scc loc hugo zola protoc buf flatc swagger redocly spectral newman
    doxygen dot plantuml mmdc drawio ffprobe identify exiftool convert magick mogrify optipng jpegoptim
    pngquant cwebp rsvg-convert inkscape qpdf pdftotext pdfinfo`),
  // Not what is on the screen, heard or seen.
  ffmpeg: args =>
    !args.some(arg => /^(?:x11grab|kmsgrab|fbdev|avfoundation|gdigrab|pulse|alsa|v4l2)$/.test(arg)),
  ...each('hyperfine entr watchexec', any), // what they run is looked at
  ...each('exiftool', without('', 'if config execute')),
});
