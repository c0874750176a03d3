// hermes completion: prints a script for the shell.
import { defineCommand } from '../command.ts';
import { completionScript, shells } from '../completion-script.ts';

export const completion = defineCommand({
  doc: 'Prints a script that teaches your shell the commands and flags of hermes.',
  flags: {},
  args: [{ name: 'shell', doc: 'your shell', choices: shells }],
  examples: [
    ['completion bash > /etc/bash_completion.d/hermes', 'bash, for everybody'],
    ['completion zsh > ~/.zfunc/_hermes', 'zsh; ~/.zfunc must be in fpath'],
    ['completion fish > ~/.config/fish/completions/hermes.fish', 'fish'],
  ],
  async run({ args }) {
    const [{ entries, groups }, { sections }] = await Promise.all([
      import('./index.ts'),
      import('../../compose.ts'),
    ]);
    const keys = sections.flatMap(section => Object.keys(section.settings));
    const commands = await Promise.all(
      entries.map(async ({ path, summary, load }) => {
        const { flags, args } = await load();
        const [first] = args;
        const values = first?.isSetting ? keys : (first?.choices ?? []);
        return { path, summary, flags: Object.keys(flags), values };
      }),
    );
    return { shell: args.shell, script: completionScript(args.shell, commands, groups) };
  },
  render: ({ script }) => script.trimEnd(),
});
