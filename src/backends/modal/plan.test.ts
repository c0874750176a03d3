import { beforeAll, describe, expect, it } from 'vitest';
import { loadHermesConfig } from '../../compose.ts';
import { type ModalSettings, paramsOf, planOf } from './plan.ts';

const spec = { id: 'k3v9', installation: 'here', limits: {}, mounts: [], env: {}, persistent: true };
const load = (variables: Record<string, string> = {}): Promise<ModalSettings> =>
  loadHermesConfig({ HOME: '/nonexistent', HERMES_HOME: '/nonexistent', ...variables });

describe('the plan of a sandbox', () => {
  let settings: ModalSettings;
  beforeAll(async () => {
    settings = await load();
  });

  it('lives longer than its owner lets it be idle, and no longer than the service allows', () => {
    expect(planOf({ ...spec, idleSeconds: 3600 }, settings)).toMatchObject({
      idleSeconds: 4200,
      lifeSeconds: 86_400,
    });
    expect(planOf({ ...spec, idleSeconds: 100_000 }, settings)).toMatchObject({
      idleSeconds: 86_400,
      lifeSeconds: 86_400,
    });
  });

  it('lives as long as the operator says, and never less than it may be idle', async () => {
    const short = await load({ TERMINAL_MODAL_LIFE: '60' });
    expect(planOf({ ...spec, idleSeconds: 300 }, short)).toMatchObject({
      idleSeconds: 900,
      lifeSeconds: 1500,
    });
  });

  it('has the stricter network of the spec and the settings', async () => {
    const closed = await load({ TERMINAL_MODAL_NETWORK: 'none' });
    const networks = (['none', 'open', undefined] as const).map(network =>
      [settings, closed].map(each => planOf({ ...spec, ...(network ? { network } : {}) }, each).network),
    );
    expect(networks).toEqual([
      ['none', 'none'],
      ['open', 'none'],
      ['open', 'none'],
    ]);
    const plan = planOf({ ...spec, network: 'none' }, settings);
    expect(paramsOf(plan, 'hermes-k3v9', {})).toMatchObject({ blockNetwork: true, cpu: 1, cpuLimit: 1 });
  });

  it('starts in the workspace, or in a folder of it', () => {
    expect(planOf(spec, settings).workdir).toBe('/workspace');
    expect(planOf({ ...spec, cwd: 'sub' }, settings).workdir).toBe('/workspace/sub');
  });
});
