import { expect, it } from 'vitest';
import { isTitle } from './host-process.ts';

it('knows an instance by its title', () => {
  expect(isTitle('Apptainer instance: olga [hermes-a]', 'hermes-a')).toBe(true);
  expect(isTitle('Singularity instance: olga [hermes-a]', 'hermes-a')).toBe(true);
  expect(isTitle('Apptainer instance: olga [hermes-ab]', 'hermes-a')).toBe(false);
  expect(isTitle('hermes sandbox inspect hermes-a', 'hermes-a')).toBe(false);
});
