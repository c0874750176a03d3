// hermes sandbox get: a file out of a sandbox.
import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { HermesError } from '../../../base/errors.ts';
import { defineCommand } from '../../command.ts';
import { sandboxArgument, visit, visitFlags } from './visit-flags.ts';

export const sandboxGet = defineCommand({
  doc: 'Copies a file out of a sandbox, as bytes, readable for you alone. A file that is already here is kept unless you say --force.',
  flags: { ...visitFlags, force: { type: 'switch', doc: 'replace a file that is there' } },
  args: [
    sandboxArgument,
    { name: 'path', doc: 'the file in the sandbox' },
    { name: 'hostpath', doc: 'file or folder of this machine; else this folder', optional: true },
  ],
  examples: [
    ['sandbox get k3v9 report.pdf', 'into this folder'],
    ['sandbox get k3v9 /tmp/out.csv /srv/in/', 'into another one'],
    ['sandbox get k3v9 report.pdf --wake', 'also when it is suspended'],
  ],
  run({ flags, args }, context) {
    const target = targetOf(args.path, args.hostpath ?? '.');
    if (!flags.force && existsSync(target)) {
      throw new HermesError(
        'USAGE_HOST_FILE',
        `${target} is there already. Give another name, or --force to replace it.`,
        { details: { path: target } },
      );
    }
    const visited = { id: args.id, wake: flags.wake, action: 'get', subject: args.path } as const;
    const judged = { kind: 'send', path: args.path } as const;
    return visit(context, { ...visited, judged }, async ({ handle, entry, redact, path = args.path }) => {
      await handle.download(path, target);
      const { size } = await stat(target);
      return { sandbox: entry.id, path: redact(args.path), hostPath: redact(target), bytes: size };
    });
  },
  render: ({ hostPath, bytes }) => `${hostPath}: ${bytes} bytes`,
});

/** Into a folder it goes under its own name. */
function targetOf(path: string, given: string): string {
  const isFolder =
    given.endsWith('/') || (statSync(given, { throwIfNoEntry: false })?.isDirectory() ?? false);
  return resolve(isFolder ? join(given, basename(path)) : given);
}
