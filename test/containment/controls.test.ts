// Positive controls: every probe succeeds where nothing contains it, in namespaces that are thrown away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../src/containment/verify.ts';
import { type Control, cannotBeSeen, controls, type SettingName, settings } from './controls.ts';
import { localContains } from './tables.ts';
import { verifyInThrowaway, whyNoThrowaway } from './throwaway.ts';

const reports = new Map<SettingName, VerifyReport>();
const seen: string[] = [];
const notRun = whyNoThrowaway();

describe.each(Object.keys(settings) as SettingName[])('without a sandbox: %s', name => {
  const own = controls.filter(({ setting }) => setting === name);
  beforeAll(async () => {
    if (notRun !== undefined) return;
    const probes = own.map(({ probe }) => probe);
    // All of them on local: its own table is asserted as well.
    const isLocal = name === 'local';
    reports.set(name, await verifyInThrowaway({ ...settings[name].options, ...(isLocal ? {} : { probes }) }));
  });

  for (const control of own) {
    it(`${control.probe} succeeds`, ({ skip }) => {
      if (notRun !== undefined) return skip(notRun);
      const row = reports.get(name)?.rows.find(({ id }) => id === control.probe);
      const reason = cannotBeSeen(control);
      seen.push(`${control.probe} → ${reason ?? `${settings[name].doc}: ${row?.found}`}`);
      if (reason !== undefined) return skip(`not seen: ${reason}`);
      expect(row, row?.found).toMatchObject({ verdict: 'not contained' });
    });
  }
});

describe('local', () => {
  it('contains exactly what it says', ({ skip }) => {
    if (notRun !== undefined) return skip(notRun);
    const contained = reports.get('local')?.rows.filter(({ verdict }) => verdict === 'contained');
    const absent = controls.filter((control: Control) => cannotBeSeen(control) !== undefined);
    const unexpected = contained
      ?.map(({ id }) => id)
      .filter(id => !localContains.includes(id))
      .filter(id => !absent.some(({ probe }) => probe === id));
    expect(unexpected).toEqual([]);
    expect(reports.get('local')?.summary.unexpected).toBe(0);
  });
});

afterAll(() => {
  if (seen.length > 0) console.log(`probe → control seen\n${seen.join('\n')}`);
});
