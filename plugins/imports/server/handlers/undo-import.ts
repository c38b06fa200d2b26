import { conflict, type CallAuthor, type UndoneRow } from '#core/server';
import type { UndoReport } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';

const maxReportedRows = 500;

/**
 * Undoes an import row by row, or reports what that would do. An entity and its parts count as one row. The numbers are
 * rows of the import if all of them are reversed, else entries of the journal.
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
  const kind = context.kinds.get(batch.kind, caller);
  assertPhase(batch, ['DONE']);
  if (batch.change === null) throw conflict(importsRefusal('imports.refused.nothingToUndo'));
  const effectiveChange =
    (await context.changes.listEffectiveChanges([batch.change])).get(batch.change) ?? batch.change;
  const { change, rows: entries } = await context.changes.undoRows(effectiveChange, { caller, requestId }, { dryRun });
  const rows = mergeParts(entries);
  const countOutcome = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  const writtenCount = Object.values(batch.counts).reduce(
    (sum, each) => sum + each.added + each.changed + each.removed,
    0,
  );
  const reversedCount = countOutcome('REVERSED');
  const isFullyReversed = reversedCount === rows.length;
  const report: UndoReport = {
    change,
    // A row can have several entries in the journal, such as its code and its views.
    counted: isFullyReversed || rows.length === writtenCount ? 'ROWS' : 'ENTRIES',
    reversed: isFullyReversed ? writtenCount : reversedCount,
    kept: countOutcome('KEPT'),
    blocked: countOutcome('BLOCKED'),
    rows: rows
      .filter(({ outcome }) => outcome !== 'REVERSED')
      .slice(0, maxReportedRows)
      .map(({ table, name, code, outcome, reason }) => ({
        table,
        sheets: listSheets(kind, table),
        name,
        code: code === name ? null : code,
        outcome,
        reason,
      })),
  };
  if (!dryRun) await storeReport(context, uid, report);
  return report;
}

async function storeReport({ tables }: ImportContext, batch: string, report: UndoReport): Promise<void> {
  await tables.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('batch')
      .set({ partial_undo: report.kept + report.blocked > 0 ? report.change : null })
      .where('uid', '=', batch)
      .execute();
    await transaction
      .insertInto('undo_report')
      .values({ batch, report: JSON.stringify(report) })
      .onConflict((conflictOf) =>
        conflictOf.column('batch').doUpdateSet(({ ref }) => ({ report: ref('excluded.report') })),
      )
      .execute();
  });
}

const outcomeRanks = { REVERSED: 0, KEPT: 1, BLOCKED: 2 } as const;

/** Merges the entries of each entity into one row with their worst outcome. Rows that cannot be restored come first. */
function mergeParts(entries: readonly UndoneRow[]): readonly UndoneRow[] {
  const rows = new Map<string, UndoneRow>();
  for (const entry of entries) {
    const row = rows.get(entry.entity);
    const [shownEntry, otherEntry] = row?.part && !entry.part ? [entry, row] : [row ?? entry, entry];
    const { outcome, reason } =
      outcomeRanks[otherEntry.outcome] > outcomeRanks[shownEntry.outcome] ? otherEntry : shownEntry;
    rows.set(entry.entity, { ...shownEntry, outcome, reason });
  }
  return [...rows.values()].toSorted((a, b) => outcomeRanks[b.outcome] - outcomeRanks[a.outcome]);
}

/** Lists the names of the sheets whose rows the table stores. */
const listSheets = ({ sheets }: AnyKind, table: string): string[] =>
  sheets.filter(({ journalTable }) => journalTable === table).map(({ name }) => name);
