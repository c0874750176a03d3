// The tests of some of the columns that a run asks for.
import { expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadColumns } from './columns.ts';
import { conformanceSuite } from './suite.ts';

export async function columnTests(isMine: (at: number) => boolean): Promise<void> {
  const wanted = await loadColumns(readEnvironment()['BACKENDS']);
  // There may be none for this file.
  it('knows the columns', () => expect(wanted).not.toEqual([]));
  for (const [at, column] of wanted.entries()) if (isMine(at)) conformanceSuite(column);
}
