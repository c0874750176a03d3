// The suite's own rules: ids come from the manifest, each is proved, and what was not run is never green.
import { describe, expect, it } from 'vitest';
import { allProofs } from './checks/all-proofs.ts';
import { columns, loadColumns } from './columns.ts';
import { buildMatrix, type CellResult, differences, formatMatrix, isGreen, pageCells } from './matrix.ts';
import { families, familyOf, type RequirementId, requirements } from './requirements.ts';
import { isInSample } from './sample.ts';
import { proofs } from './verifies.ts';

const nothing = async (): Promise<void> => undefined;
const allOk = (column: string): CellResult[] =>
  [...requirements.keys()].map(id => ({ column, id, cell: 'ok' }));

describe('the manifest', () => {
  it('has a proof for every requirement', () => {
    const proved = new Set<string>(allProofs.map(({ id }) => id));
    expect([...requirements.keys()].filter(id => !proved.has(id))).toEqual([]);
  });

  it('names each requirement after its family', () => {
    for (const [family, group] of Object.entries(families))
      expect(Object.keys(group).filter(id => familyOf(id) !== family)).toEqual([]);
  });

  it('refuses a proof of what it does not have, and the same proof twice', () => {
    const unknown = 'no.such' as RequirementId; // what a slip of the pen would be without types
    expect(() => proofs(verifies => verifies(unknown, nothing))).toThrow('no.such is not in the manifest');
    const twice = (): unknown =>
      proofs(verifies => {
        verifies('exit.codes', nothing);
        verifies('exit.codes', nothing);
      });
    expect(twice).toThrow('exit.codes is proved twice');
  });
});

describe('a sampled run', () => {
  const sampled = columns.filter(({ quarter }) => quarter !== undefined);

  it('tries every check of the channel on one column of those that share them', () => {
    const check = { id: 'output.exact', row: 0, mode: 0 };
    for (const at of [0, 1, 2, 3, 17, 102])
      expect(sampled.filter(column => isInSample(column, { ...check, at }))).toHaveLength(1);
  });

  it('tries everything else on every column, in both modes among those that share them', () => {
    const single = { id: 'life.list', at: 1, row: 3, mode: undefined };
    expect(columns.filter(column => isInSample(column, single))).toHaveLength(columns.length);
    for (const row of [0, 1, 2, 17]) {
      const counts = [0, 1].map(
        mode => sampled.filter(column => isInSample(column, { id: 'kill.child', at: 1, row, mode })).length,
      );
      expect(counts).toEqual([2, 2]);
    }
  });

  it('tries everything on four columns', () => {
    const checks = [0, 1, 2, 3].flatMap(at =>
      ['exit.codes', 'kill.child'].map(id => ({ id, at, row: at, mode: at % 2 })),
    );
    const whole = columns.filter(column => checks.every(check => isInSample(column, check)));
    expect(whole.map(({ name }) => name)).toEqual(['local', 'local-busybox', 'docker', 'bubblewrap']);
  });
});

describe('the matrix', () => {
  it('is green only when everything was run and held', () => {
    expect(isGreen(buildMatrix(allOk('local')))).toBe(true);
    expect(isGreen(buildMatrix([]))).toBe(false);
    expect(isGreen(buildMatrix(allOk('local').slice(1)))).toBe(false);
    for (const cell of ['FAIL', 'not run'] as const)
      expect(isGreen(buildMatrix([...allOk('local'), { column: 'local', id: 'exit.codes', cell }]))).toBe(
        false,
      );
  });

  it('lets a failure win over what held, and says `not run` where no test spoke', () => {
    const { rows } = buildMatrix([
      { column: 'local', id: 'exit.codes', cell: 'FAIL' },
      { column: 'local', id: 'exit.codes', cell: 'ok' },
    ]);
    const cells = new Map(rows.map(row => [row.id, row.cells]));
    expect(cells.get('exit.codes')).toEqual(['FAIL']);
    expect(cells.get('exit.above-128')).toEqual(['not run']);
  });

  it('says where a page differs from a run, of what was run', () => {
    const page =
      '| id | it … | promises | a | b |\n|---|---|---|---|---|\n| `exit.codes` | x \\| y | P9 | ok | n/a |';
    const seen = (column: string, cell: CellResult['cell'], id = 'exit.codes'): readonly string[] =>
      differences(pageCells(page), buildMatrix([{ column, id, cell }]));
    for (const cell of ['ok', 'not run', 'FAIL'] as const) expect(seen('a', cell)).toEqual([]);
    expect(seen('b', 'n/a')).toEqual([]);
    expect(seen('a', 'n/a')).toEqual(['exit.codes on a says ok, this run showed n/a']);
    expect(seen('b', 'ok')).toEqual(['exit.codes on b says n/a, this run showed ok']);
    expect(seen('c', 'ok')).toEqual(['exit.codes on c says nothing, this run showed ok']);
    expect(seen('a', 'ok', 'signal.kill')).toEqual(['signal.kill on a says nothing, this run showed ok']);
  });

  it('fits into 80 columns', () => {
    const text = formatMatrix(buildMatrix(columns.flatMap(({ name }) => allOk(name))));
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(80);
  });
});

describe('columns', () => {
  it('are all taken unless some are named', async () => {
    expect(await loadColumns()).toBe(columns);
    expect((await loadColumns('local-busybox')).map(({ name }) => name)).toEqual(['local-busybox']);
  });

  it('that are unknown are an error that lists the known ones', async () => {
    await expect(loadColumns('locl')).rejects.toThrow('there is no column locl. Known: local, local-busybox');
  });

  it('may be the path of a file', async () => {
    const [column] = await loadColumns('./test/conformance/columns/local.ts');
    expect(column?.name).toBe('local');
  });
});
