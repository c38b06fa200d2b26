import { conflict, type CallAuthor, type UndoneRow } from '#core/server';
import type { UndoReport } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { assertPhase, getBatch, type Batch, type ImportContext } from '../import-context.ts';

const maxReportedRows = 500;

/**
 * Undoes an import row by row, or reports what that would do. An entity and its parts count as one row. The numbers are
 * rows of the import if all of them are reversed, else entries of the journal. If no row can be reversed, nothing is
 * undone.
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
  const formerReport = batch.partial_undo === null ? undefined : await findReport(context, uid);
  const report = toReport(batch, kind, mergeParts(entries), { change, formerReport });
  if (change !== null) await storeReport(context, uid, report);
  return report;
}

/**
 * Reports what was undone. An undo after a redo concerns only the rows that the former undo reversed: the others are
 * still as they were, so they are reported again.
 */
function toReport(
  batch: Batch,
  kind: AnyKind,
  rows: readonly UndoneRow[],
  { change, formerReport }: { readonly change: string | null; readonly formerReport: UndoReport | undefined },
): UndoReport {
  const countOutcome = (outcome: string): number => rows.filter((row) => row.outcome === outcome).length;
  const writtenCount = Object.values(batch.counts).reduce(
    (sum, each) => sum + each.added + each.changed + each.removed,
    0,
  );
  const reversedCount = countOutcome('REVERSED');
  const isFullyReversed = !formerReport && reversedCount === rows.length;
  const remainingRows = rows
    .filter(({ outcome }) => outcome !== 'REVERSED')
    .map(({ table, name, code, outcome, reason }) => ({
      table,
      sheets: listSheets(kind, table),
      name,
      code: code === name ? null : code,
      outcome,
      reason,
    }));
  return {
    change,
    // A row can have several entries in the journal, such as its code and its views.
    counted: formerReport?.counted ?? (isFullyReversed || rows.length === writtenCount ? 'ROWS' : 'ENTRIES'),
    reversed: isFullyReversed ? writtenCount : reversedCount,
    kept: countOutcome('KEPT') + (formerReport?.kept ?? 0),
    blocked: countOutcome('BLOCKED') + (formerReport?.blocked ?? 0),
    rows: [...remainingRows, ...(formerReport?.rows ?? [])].slice(0, maxReportedRows),
  };
}

const findReport = async ({ tables }: ImportContext, batch: string): Promise<UndoReport | undefined> =>
  (await tables.selectFrom('undo_report').select('report').where('batch', '=', batch).executeTakeFirst())?.report;

async function storeReport({ tables }: ImportContext, batch: string, report: UndoReport): Promise<void> {
  await tables.transaction().execute(async (transaction) => {
    const isPartial = report.kept + report.blocked > 0;
    await transaction
      .updateTable('batch')
      .set({ partial_undo: isPartial ? report.change : null })
      .where('uid', '=', batch)
      .execute();
    await transaction.deleteFrom('undo_report').where('batch', '=', batch).execute();
    if (isPartial)
      await transaction
        .insertInto('undo_report')
        .values({ batch, report: JSON.stringify(report) })
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
