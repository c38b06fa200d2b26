import { conflict, type CallAuthor } from '#core/server';
import type { UndoReport } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';

const maxReportedRows = 500;

/**
 * Takes an import back row by row, or says what that would do. Counts the rows that the import wrote if all of them are
 * reversed, else the entries of the journal.
 *
 * @throws `conflict` (409) if it wrote nothing or was undone already
 */
export async function undoBatch(
  context: ImportContext,
  { caller, requestId }: CallAuthor,
  uid: string,
  dryRun: boolean,
): Promise<UndoReport> {
  const batch = await getBatch(context, caller, uid);
  assertPhase(batch, ['DONE']);
  if (batch.change === null) throw conflict(importsRefusal('imports.refused.nothingToUndo'));
  const standing = (await context.changes.listStanding([batch.change])).get(batch.change) ?? batch.change;
  const { change, rows } = await context.changes.undoRows(standing, { caller, requestId }, { dryRun });
  const count = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  const writtenCount = Object.values(batch.counts).reduce(
    (sum, each) => sum + each.added + each.changed + each.removed,
    0,
  );
  const reversedCount = count('REVERSED');
  const isWhole = reversedCount === rows.length;
  return {
    change,
    // A row can have several entries in the journal, such as its code and its views.
    counted: isWhole || rows.length === writtenCount ? 'ROWS' : 'ENTRIES',
    reversed: isWhole ? writtenCount : reversedCount,
    kept: count('KEPT'),
    blocked: count('BLOCKED'),
    rows: rows.filter(({ outcome }) => outcome !== 'REVERSED').slice(0, maxReportedRows),
  };
}
