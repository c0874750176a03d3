// What would keep a gateway from starting with this configuration, besides what is malformed: the decision about the backend,
// its engine and image, ports that are taken, and tokens that cannot be any.
import { createServer } from 'node:net';
import { backendFacts } from '../../../backends/index.generated.ts';
import { isHermesError } from '../../../base/errors.ts';
import type { HermesConfig } from '../../../compose.ts';
import { isGatewayRunning } from '../../../sessions/gateway-lock.ts';
import { resolveSandboxPolicy, type SandboxPolicy } from '../../../sessions/policy.ts';
import type { CommandContext } from '../../command.ts';
import { recordedChoice } from '../chosen-policy.ts';
import { type Found, problem, warning } from '../doctor/area.ts';

export interface StartCheck {
  /** Where chats would run; null where `auto` has not chosen yet, or nothing would. */
  readonly backend: string | null;
  readonly found: readonly Found[];
  /** What nobody has looked at, and why. */
  readonly notChecked: readonly string[];
}

export async function checkStart(
  config: HermesConfig,
  context: CommandContext,
  asks: 'engines' | 'nobody',
): Promise<StartCheck> {
  const slips = [...tokenSlips(config), ...(await portProblems(config))];
  const decide = (recorded: Awaited<ReturnType<typeof recordedChoice>>) =>
    resolveSandboxPolicy(config, { kind: 'messaging' }, { backends: backendFacts, recorded });
  let decision = decide(null);
  if (decision.kind === 'undecided') decision = decide(await recordedChoice(config.paths.home));
  if (decision.kind === 'refused') {
    const found = [...slips, problem('backend', decision.reason, decision.fix)];
    return { backend: null, found, notChecked: [] };
  }
  if (decision.kind === 'undecided') {
    const later = `auto takes the first of ${decision.among.join(', ')} that works, at the first start; \`hermes doctor\` tries them.`;
    return { backend: null, found: slips, notChecked: [later] };
  }
  const { policy } = decision;
  const backend = policy.backend.value;
  if (asks === 'nobody')
    return { backend, found: slips, notChecked: [`The backend ${backend} was not asked (--offline).`] };
  const { found, notChecked } = await engineProblems(policy, config, context);
  return { backend, found: [...slips, ...found], notChecked };
}

async function engineProblems(
  { backend: { value: name }, image }: SandboxPolicy,
  config: HermesConfig,
  { environment, note: progress, signal }: CommandContext,
): Promise<Pick<StartCheck, 'found' | 'notChecked'>> {
  const { createBackend } = await import('../../../compose.ts');
  const backend = await createBackend(name, config, { environment, progress });
  try {
    const problems = await backend.check({ signal });
    const found = problems.map(({ message, fix, severity }) =>
      (severity === 'warning' ? warning : problem)(name, message, fix),
    );
    // Where the engine does not answer, nothing can be said of its images.
    if (image.value === null || problems.some(({ severity }) => severity !== 'warning'))
      return { found, notChecked: [] };
    if (!backend.findImage)
      return { found, notChecked: [`The image ${image.value}: ${name} tells when a sandbox is made.`] };
    const { place, reason = 'not found' } = await backend.findImage(image.value, { signal });
    // Its own check speaks of the image of its settings, which chats may not have.
    const others = found.filter(({ message }) => !message.startsWith('The image '));
    if (place === 'here') return { found: others, notChecked: [] };
    const fix = `Pull or build it, or set another one: ${image.origin}.`;
    const missing =
      place === 'registry'
        ? warning(name, `The image ${image.value} is not here yet; the start pulls it.`, fix)
        : problem(name, `The image ${image.value} is not here and cannot be pulled: ${reason}.`, fix);
    return { found: [...others, missing], notChecked: [] };
  } catch (error) {
    if (!isHermesError(error)) throw error;
    return { found: [problem(name, error.message, 'hermes doctor tells more.')], notChecked: [] };
  } finally {
    await backend.close();
  }
}

/** Pure. The value itself is shown nowhere (P7). */
function tokenSlips(config: Pick<HermesConfig, 'entries'>): readonly Found[] {
  return config.entries().flatMap(({ key, value, setting: { shape, env = key } }) => {
    if (shape === undefined || typeof value !== 'string' || shape.pattern.test(value)) return [];
    return [
      problem(key, `${env} does not look like such a token: it is ${shape.looks}.`, 'Copy it again, whole.'),
    ];
  });
}

interface Listening {
  readonly key: string;
  readonly host: string;
  readonly port: number;
}

function listening(config: HermesConfig): readonly Listening[] {
  const all = [
    {
      key: 'gateway.http_port',
      host: config.get('gateway.http_host'),
      port: config.get('gateway.http_port'),
    },
    ...(config.get('web.enabled')
      ? [{ key: 'web.port', host: config.get('web.host'), port: config.get('web.port') }]
      : []),
    ...(config.get('whatsapp.access_token') === undefined
      ? []
      : [{ key: 'whatsapp.port', host: config.get('whatsapp.host'), port: config.get('whatsapp.port') }]),
  ];
  // 0 takes any free one.
  return all.filter(({ port }) => port !== 0);
}

/** None where the gateway of this home runs: it is the one that has them. */
async function portProblems(config: HermesConfig): Promise<readonly Found[]> {
  if (isGatewayRunning(config.paths.home)) return [];
  const wanted = listening(config);
  const found: Found[] = [];
  for (const [at, { key, host, port }] of wanted.entries()) {
    const twin = wanted.slice(0, at).find(other => other.port === port && other.host === host);
    const code = twin ? undefined : await bindError(host, port);
    const why =
      twin !== undefined
        ? `is the port of ${twin.key} too`
        : code === 'EADDRINUSE'
          ? 'is already in use'
          : code && `cannot be used (${code})`;
    if (why !== undefined)
      found.push(
        problem(key, `Port ${port} on ${host} ${why}.`, `Set ${key} to a free one, or end what uses it.`),
      );
  }
  return found;
}

/** The code of the system; undefined when it is free. */
function bindError(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  return promise;
}
