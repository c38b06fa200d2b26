import { conflict, type CallAuthor, type UndoneRow } from '#core/server';
import type { UndoReport } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { assertPhase, getBatch, type ImportContext } from '../import-context.ts';

const maxReportedRows = 500;

/**
 * Takes an import back row by row, or says what that would do. An entity and its parts count as one. Counts the rows
 * that the import wrote if all of them are reversed, else the entries of the journal.
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
  const standing = (await context.changes.listEffectiveChanges([batch.change])).get(batch.change) ?? batch.change;
  const { change, rows: entries } = await context.changes.undoRows(standing, { caller, requestId }, { dryRun });
  const rows = mergeParts(entries);
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
}

const severities = { REVERSED: 0, KEPT: 1, BLOCKED: 2 } as const;

/** Each entity once, with the worst outcome of it and its parts. Those that cannot be restored come first. */
function mergeParts(entries: readonly UndoneRow[]): readonly UndoneRow[] {
  const rows = new Map<string, UndoneRow>();
  for (const entry of entries) {
    const row = rows.get(entry.entity);
    const [main, other] = row?.part && !entry.part ? [entry, row] : [row ?? entry, entry];
    const { outcome, reason } = severities[other.outcome] > severities[main.outcome] ? other : main;
    rows.set(entry.entity, { ...main, outcome, reason });
  }
  return [...rows.values()].toSorted((a, b) => severities[b.outcome] - severities[a.outcome]);
}

/** The names of the sheets whose rows are those of a table. */
const listSheets = ({ sheets }: AnyKind, table: string): string[] =>
  sheets.filter(({ records }) => records === table).map(({ name }) => name);
