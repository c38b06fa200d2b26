import { conflict } from '#core/server';
import type { UndoReport } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, type Author, type ImportContext } from '../import-context.ts';

const maxReportedRows = 500;

/**
 * Takes an import back row by row, or says what that would do.
 *
 * @throws `conflict` (409) if it wrote nothing or was undone already
 */
export async function undoBatch(
  context: ImportContext,
  { caller, requestId }: Author,
  uid: string,
  dryRun: boolean,
): Promise<UndoReport> {
  const batch = await getBatch(context, caller, uid);
  assertPhase(batch, ['DONE']);
  if (batch.change === null) throw conflict(importsRefusal('imports.refused.nothingToUndo'));
  const standing = (await context.changes.listStanding([batch.change])).get(batch.change) ?? batch.change;
  const { change, rows } = await context.changes.undoRows(standing, { caller, requestId }, { dryRun });
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  return {
    change,
    reversed: count('REVERSED'),
    kept: count('KEPT'),
    blocked: count('BLOCKED'),
    rows: rows.filter(({ outcome }) => outcome !== 'REVERSED').slice(0, maxReportedRows),
  };
}
