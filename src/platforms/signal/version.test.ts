import { expect, it } from 'vitest';
import { isOutdated } from './version.ts';

it.each(['0.13.24', '0.14.8', '0.14', '0.9.99', '0.14.8-SNAPSHOT', '0.14.4.1'])('%s is outdated', version => {
  expect(isOutdated(version)).toBe(true);
});

it.each(['0.14.9', '0.14.9.1', '0.14.10', '0.15.0', '1.0', '0.14.9-SNAPSHOT', 'unknown', ''])(
  '%j is new enough',
  version => {
    expect(isOutdated(version)).toBe(false);
  },
);
