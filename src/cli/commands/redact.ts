// hermes redact: a filter that lets no secret through (P7).
import { redactorOf } from '../../compose.ts';
import { defineCommand } from '../command.ts';

export const redact = defineCommand({
  doc: 'Passes standard input on and puts [redacted:…] in the place of every secret: values of .env, of secret settings and of forwarded variables in any form, and all that looks like a token, a key or a password. Every other byte stays as it is. Whole lines go out as they come.',
  flags: {},
  args: [],
  examples: [
    ['redact < build.log', 'what may be shown to others'],
    ['redact --set security.redact_secrets=false', 'only the secrets that the configuration knows'],
    ['redact --json < build.log', 'as JSON, for programs'],
  ],
  async run(_input, context) {
    const redactor = await redactorOf(await context.config(), { input: 'bytes' });
    const stream = redactor.stream();
    let kept = '';
    const pass = async (bytes: string): Promise<void> => {
      if (bytes === '') return;
      if (context.stream) await context.stream({ stream: 'stdout', data: Buffer.from(bytes, 'latin1') });
      else kept += bytes;
    };
    for await (const chunk of context.readChunks()) {
      await pass(stream.push(Buffer.from(chunk).toString('latin1')));
    }
    await pass(stream.flush());
    return { text: Buffer.from(kept, 'latin1').toString('utf8') };
  },
  render: () => '',
});
