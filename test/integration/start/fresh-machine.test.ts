// The start as the README has it, literally, on a Debian as it comes: no sandbox program, no key, no settings, no network.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../services/command.ts';
import { describeWith } from '../../services/use-service.ts';

const project = join(import.meta.dirname, '../../..');
const CLONE = '/srv/hermes';
/** Half a minute on two cores that have nothing else to do; most of it is npm's. */
const LONGEST_MS = 170_000;

/** What a clone would have if all was committed as it is now. */
async function cloneInto(folder: string): Promise<void> {
  const { stdout } = await runCommand(['git', 'ls-files', '-co', '--exclude-standard', '--deduplicate'], {
    cwd: project,
  });
  await mkdir(folder, { recursive: true });
  await runCommand(['sh', '-c', 'tar -c --ignore-failed-read -T - | tar -x -C "$1"', 'sh', folder], {
    cwd: project,
    input: stdout,
  });
}

/** As the README has it; then a second start, and a first message over the page. `part` separates what each has printed. */
const SCRIPT = `
part() { printf '\\n=== %s\\n' "$1"; }
cd ${CLONE}
part ready; which bwrap docker; ls -d ~/.hermes; npm_config_offline=true npm ci || exit 1
part stranger; setpriv --reuid=1000 --regid=1000 --clear-groups env HOME=/home/hermes node bin/hermes.js start --yes </dev/null; echo "exit $?"; which bwrap; ls -A /home/hermes
part asked; echo n | script -qec 'node bin/hermes.js start' /dev/null; echo "exit $?"; which bwrap
part start; npm start </dev/null; echo "exit $?"
part again; npm start </dev/null >again; echo "exit $?"; cat again
part talk; node test/integration/start/first-words.ts '!echo hello from $(id -un) in $(pwd)' 'hello from hermes' <again
part people; node bin/hermes.js people list --json
part sandboxes; node bin/hermes.js sandbox list --json
part home; stat -c '%a %n' ~/.hermes
part stop; node bin/hermes.js gateway stop; echo "exit $?"
`;

describeWith('fresh-machine', address => {
  it(
    'comes from `npm ci && npm start` to a chat whose commands run in a sandbox',
    async () => {
      const { asRoot, rootDir } = address();
      await cloneInto(join(rootDir, CLONE));
      const { stdout } = await runCommand([...asRoot, 'sh', '-c', `exec 2>&1\n${SCRIPT}`], {
        timeoutMs: LONGEST_MS,
      });
      const said = partsOf(stdout);
      // Bare it was.
      expect(said['ready']).not.toMatch(/^\/.*(bwrap|docker)$/m);
      // Somebody who is not root gets no package and no gateway, but a sentence.
      expect(said['stranger']).toMatch(/UNAVAILABLE_BACKEND.*never run on this machine itself/);
      expect(said['stranger']).toContain('sudo apt-get install bubblewrap');
      expect(said['stranger']).toMatch(/exit 69\s*$/);
      // On a terminal it is asked first, and a no is a no.
      expect(said['asked']).toMatch(
        /Install bubblewrap with apt-get now\?.*Nothing was started.*exit 69\s*$/s,
      );
      expect(said['start']).toContain('installing it: apt-get install bubblewrap');
      expect(said['start']).toMatch(
        /Commands of chats run on bubblewrap \(isolation container, network none\)/,
      );
      expect(said['start']).toMatch(/http:\/\/127\.0\.0\.1:8378\/login\?token=\S+/);
      expect(said['again']).toMatch(/^exit 0/);
      expect(said['again']).toMatch(/Hermes runs already.*http:\/\/127\.0\.0\.1:8378\/login\?token=\S+/s);
      const talk = JSON.parse(said['talk'] ?? '');
      expect(talk).toMatchObject({ page: { status: 200, title: 'Hermes' }, again: 403 });
      expect(talk.heard).toContain('hello from hermes in /workspace');
      expect(JSON.parse(said['people'] ?? '')).toMatchObject({
        people: [{ platform: 'web', userId: 'owner', role: 'owner', decidedBy: 'cli' }],
      });
      expect(said['sandboxes']).toContain('"bubblewrap"');
      expect(said['home']).toBe('700 /root/.hermes');
      expect(said['stop']).toMatch(/has stopped\.\nexit 0$/);
    },
    LONGEST_MS + 10_000,
  );
});

function partsOf(output: string): Readonly<Record<string, string>> {
  const parts = output.split(/^=== /m).map(part => {
    const [name = '', ...lines] = part.split('\n');
    return [name, lines.join('\n').trim()] as const;
  });
  return Object.fromEntries(parts);
}
