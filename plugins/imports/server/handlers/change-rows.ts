import type { Transaction } from 'kysely';
import type { CallAuthor } from '#core/server';
import type { ImportSheet } from '#plugins/imports';
import { remapRows } from '../commands/stage-rows.ts';
import { assertPhase, getBatch, toStagedImport, type ImportContext } from '../import-context.ts';
import { showPreview } from '../jobs/check-import.ts';
import { canCheckCorrections, checkCorrections, loadVersions } from '../queries/check-corrections.ts';
import { checkRows } from '../queries/check-rows.ts';
import { loadValueChoices } from '../queries/choices.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { ImportsTables } from '../tables.ts';

/** A change of rows of a sheet, after which they are read and checked again. */
export interface RowChange {
  readonly sheet: ImportSheet;
  readonly ids: readonly string[];
  /** Whether all rows are checked, because the change may affect rows that cannot be found from `ids`. */
  readonly affectsAll?: boolean;
  readonly write: (transaction: Transaction<ImportsTables>) => Promise<void>;
  /** Called once the rows are checked. */
  readonly finish?: (transaction: Transaction<ImportsTables>, staged: StagedImport) => Promise<void>;
}

/**
 * Changes rows of an import, and checks them and what depends on them, in one transaction. Returns the number of
 * changed rows.
 *
 * @param findChanges finds the changes; called after the import is locked
 */
export async function changeRows(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  findChanges: (transaction: Transaction<ImportsTables>, staged: StagedImport) => Promise<readonly RowChange[]>,
): Promise<number> {
  const batch = await getBatch(context, caller, uid);
  const stagedImport = await toStagedImport(context, batch, context.kinds.get(batch.kind, caller));
  return context.tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .select('phase')
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, ['PREVIEW']);
    const changes = (await findChanges(transaction, stagedImport)).filter(({ ids }) => ids.length > 0);
    for (const change of changes) {
      await writeChange(transaction, stagedImport, change);
      await change.finish?.(transaction, stagedImport);
    }
    if (changes.length > 0) await showPreview(transaction, stagedImport);
    return changes.reduce((sum, { ids }) => sum + ids.length, 0);
  });
}

async function writeChange(
  transaction: Transaction<ImportsTables>,
  stagedImport: StagedImport,
  { sheet, ids, affectsAll = false, write }: RowChange,
): Promise<void> {
  const { batch, kind, scope, api } = stagedImport;
  const formerVersions =
    !affectsAll && canCheckCorrections(kind, ids.length)
      ? await loadVersions(transaction, stagedImport, sheet, ids)
      : undefined;
  await write(transaction);
  const { headers, constants } = await transaction
    .selectFrom('sheet')
    .select(['headers', 'constants'])
    .where('batch', '=', batch)
    .where('sheet', '=', sheet.id)
    .executeTakeFirstOrThrow();
  const mapping = {
    sheet,
    headers,
    constants,
    scope,
    choices: await loadValueChoices(transaction, kind.id, sheet, scope, api),
  };
  for (let last = '0', rows = -1; rows !== 0;)
    ({ last, rows } = await remapRows(transaction, batch, mapping, last, ids));
  if (formerVersions) await checkCorrections(transaction, stagedImport, sheet, ids, formerVersions);
  else await checkRows(transaction, stagedImport);
}
