import { sql } from 'kysely';
import { pickLocalizedError } from '#core';
import type { Caller } from '#core/server';
import type { Import, ImportSheetState } from '#plugins/imports';
import type { ImportSummary } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { listMissingColumns } from './find-column-problems.ts';
import type { Batch, ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { BatchFinding, SheetCounts } from '../tables.ts';

const noCounts = {
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  withErrors: 0,
  withWarnings: 0,
  leftOut: 0,
  correctedCells: 0,
} as const;

/** The reply of one import. */
export async function loadImport(context: ImportContext, uid: string, kind: AnyKind): Promise<Import> {
  const { tables } = context;
  const batch = await tables.selectFrom('batch').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
  const sheets = await tables.selectFrom('sheet').selectAll().where('batch', '=', uid).execute();
  const [summary] = await toSummaries(context, [batch]);
  const followers = await tables
    .selectFrom('batch')
    .select(['uid', 'kind', 'phase'])
    .where('follows', '=', uid)
    .where('site', '=', batch.site)
    .orderBy('created_at')
    .execute();
  const undoReport = summary!.undoneInPart
    ? await tables.selectFrom('undo_report').select('report').where('batch', '=', uid).executeTakeFirst()
    : undefined;
  return {
    ...summary!,
    undoReport: undoReport?.report ?? null,
    followers,
    fileSheets: [...batch.file_sheets],
    blocksOthers: context.changes.blocksOthers,
    findings: [...batch.findings, ...listKeptSheetWarnings(batch, kind)],
    sheets: kind.sheets.map((sheet): ImportSheetState => {
      const sheetRow = sheets.find((candidate) => candidate.sheet === sheet.id);
      const headers = sheetRow?.headers ?? [];
      return {
        sheet: sheet.id,
        present: sheetRow?.present ?? false,
        headerRow: sheetRow?.header_row ?? null,
        separator: batch.layouts[sheet.id]?.separator ?? null,
        headers: headers.map((match) => ({ ...match, examples: [...match.examples] })),
        constants: Object.entries(sheetRow?.constants ?? {}).map(([column, constant]) => ({ column, ...constant })),
        replacedWords: [...(sheetRow?.replaced_words ?? [])],
        missing:
          sheetRow?.present && headers.length === 0
            ? []
            : listMissingColumns(sheet, headers, sheetRow?.constants ?? {}).map(({ id }) => id),
        ...noCounts,
        ...batch.counts[sheet.id],
      };
    }),
  };
}

/** Warnings for the sheets from which nothing is removed, because a person has left out rows. */
const listKeptSheetWarnings = (
  { mode, counts, finished_at: finishedAt }: Batch,
  { sheets }: AnyKind,
): readonly BatchFinding[] =>
  mode === 'REPLACE' && finishedAt === null
    ? sheets
        .filter(({ id, removable }) => removable === true && (counts[id]?.leftOut ?? 0) > 0)
        .map(({ name }) => ({
          ...pickLocalizedError(importsRefusal('imports.refused.leftOutKeepsRows', { sheet: name })),
          column: null,
          severity: 'WARNING',
        }))
    : [];

/** Reads the summaries of imports in three queries. The journal of changes tells which imports were undone. */
export async function toSummaries(
  { tables, changes }: Pick<ImportContext, 'tables' | 'changes'>,
  batches: readonly Batch[],
): Promise<ImportSummary[]> {
  const files = await tables
    .selectFrom('file')
    .select(['batch', 'name', 'bytes'])
    .where(sql<boolean>`batch = any(${batches.map(({ uid }) => uid)}::text[])`)
    .orderBy('position')
    .execute();
  const effectiveChanges = await changes.listEffectiveChanges(
    batches.flatMap(({ change, partial_undo: partialUndo }) => [change ?? [], partialUndo ?? []].flat()),
  );
  const isUndone = ({ change }: Batch): boolean => change !== null && !effectiveChanges.has(change);
  const isUndoneInPart = ({ partial_undo: partialUndo }: Batch): boolean =>
    partialUndo !== null && effectiveChanges.has(partialUndo);
  return batches.map((batch) => ({
    uid: batch.uid,
    kind: batch.kind,
    site: batch.site,
    mode: batch.mode,
    phase: batch.phase,
    status: batch.finished_at === null ? 'INPROGRESS' : 'COMPLETED',
    result: batch.result,
    refusal: batch.refusal,
    version: batch.version,
    job: batch.job,
    follows: batch.follows,
    author: { uid: batch.author, name: batch.author_name },
    createdAt: batch.created_at.toISOString(),
    finishedAt: batch.finished_at?.toISOString() ?? null,
    files: files.filter((file) => file.batch === batch.uid).map(({ name, bytes }) => ({ name, bytes: Number(bytes) })),
    change: batch.change,
    undone: isUndone(batch),
    undoneInPart: isUndone(batch) && isUndoneInPart(batch),
    backup: batch.backup,
  }));
}

const sumCounts = (counts: Batch['counts'], name: keyof SheetCounts): number =>
  Object.values(counts).reduce((sum, sheetCounts) => sum + (sheetCounts[name] ?? 0), 0);

/** Lists a page of the history, latest first. */
export async function listBatches(
  context: ImportContext,
  kinds: readonly AnyKind[],
  caller: Caller,
  { kind, offset = 0, limit = 200 }: { readonly kind?: string; readonly offset?: number; readonly limit?: number },
) {
  const accessibleUids = [...(await context.locations.accessible(caller))];
  const hasAll = caller.access.locations === 'ALL';
  const ids = kinds.map(({ id }) => id).filter((id) => kind === undefined || id === kind);
  const visible = context.tables
    .selectFrom('batch')
    .where(sql<boolean>`kind = any(${ids}::text[])`)
    .where(
      sql<boolean>`case when site is not null then site = any(${accessibleUids}::text[])
        when all_locations then ${hasAll}::boolean
        else not exists (
          select from core.location where uid = any(batch.locations) and uid <> all(${accessibleUids}::text[])) end`,
    );
  const { total } = await visible.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const batches = await visible
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  const summaries = await toSummaries(context, batches);
  return {
    total: Number(total),
    offset,
    rows: summaries.map((summary, index) => {
      const { counts } = batches[index]!;
      return {
        ...summary,
        added: sumCounts(counts, 'added'),
        changed: sumCounts(counts, 'changed'),
        removed: sumCounts(counts, 'removed'),
        unchanged: sumCounts(counts, 'unchanged'),
        leftOut: sumCounts(counts, 'leftOut'),
      };
    }),
  };
}
