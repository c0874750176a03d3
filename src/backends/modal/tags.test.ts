import { describe, expect, it } from 'vitest';
import type { Plan } from './plan.ts';
import { readTags, refOf, tagsOf } from './tags.ts';

const plan: Plan = {
  ...{ image: 'debian', workdir: '/work space', network: 'none', cpus: 0.5, memoryMiB: 512, regions: [] },
  ...{ idleSeconds: 4200, lifeSeconds: 86_400 },
};

describe('the tags of a sandbox', () => {
  it.each(['telegram:1', 'b64.x', 'ünï', 'plain', undefined])(
    'say whose it is and what it may do, with the session %j',
    session => {
      const ref = refOf({ id: 'k3v9', installation: 'here', ...(session === undefined ? {} : { session }) });
      if (!ref) throw new Error('no reference');
      const { image: _image, regions: _regions, workdir, ...shape } = plan;
      const tags = tagsOf(ref, plan);
      expect(readTags(tags)).toEqual({ ref, workdir, shape });
      for (const value of Object.values(tags)) expect(value).toMatch(/^[A-Za-z0-9][\w.-]*$/);
    },
  );

  it('of somebody else are none of ours', () => {
    expect(readTags({})).toBeUndefined();
    const ref = { backend: 'modal', id: 'k3v9', name: 'hermes-k3v9', installation: 'here' };
    expect(readTags({ ...tagsOf(ref, plan), 'hermes-shape': 'wide-open' })).toBeUndefined();
  });

  it('need an id that can stand in a name', () => {
    expect(refOf({ id: '../x', installation: 'here' })).toBeUndefined();
    expect(refOf({ id: 'x'.repeat(60), installation: 'here' })).toBeUndefined();
  });
});
