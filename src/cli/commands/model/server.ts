// The server of models as the configuration has it, whether a model was chosen there or not.
import type { Provider } from '../../../providers/provider.ts';
import type { CommandContext } from '../../command.ts';

export interface ModelServer {
  readonly provider: Provider;
  /** For people. */
  readonly address: string;
  /** Undefined = no model is set. */
  readonly current: string | undefined;
  readonly redact: (text: string) => string;
}

export async function modelServer(context: CommandContext): Promise<ModelServer> {
  const config = await context.config();
  const [{ providerFor }, { redactorOf }] = await Promise.all([
    import('../../../providers/create.ts'),
    import('../../../compose.ts'),
  ]);
  const { redact } = await redactorOf(config);
  const current = config.get('model.name');
  const provider = await providerFor(current ?? '', config, { clock: context.clock, redact });
  const address = config.get('model.base_url') ?? `the server of ${provider.name}`;
  return { provider, address, current, redact };
}
