import { expect, it } from 'vitest';
import { isOwnRef, labelText, parseLabel, refOf } from './label.ts';

const spec = {
  id: 'abc',
  installation: 'i',
  session: 's',
  limits: {},
  mounts: [],
  env: {},
  persistent: false,
};

it('finds the reference again in the label', () => {
  const ref = refOf(spec);
  expect(ref && parseLabel(labelText(ref, 0))).toEqual(ref);
});

it.each(['', '.', '../x', 'a/b', 'a b', '-x'])('refuses the id %j, which would stand in a path', id => {
  expect(refOf({ ...spec, id })).toBeUndefined();
  expect(isOwnRef({ backend: 'x', id, name: `hermes-${id}`, installation: 'i' })).toBe(false);
});

it.each(['', 'null', '{"id":"../x","installation":"i","created":""}'])(
  'takes %j for no label of ours',
  text => {
    expect(parseLabel(text)).toBeUndefined();
  },
);
