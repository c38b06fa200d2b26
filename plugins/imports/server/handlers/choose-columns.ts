import type { BodyOf } from '#core';
import { invalidRequest } from '#core/server';
import type { Import } from '#plugins/imports';
import type { chooseImportColumns } from '../../contract/api.ts';
import { toHeaderKey } from '../../common/match-headers.ts';
import { assertPhase, getBatch, type Author, type ImportContext } from '../import-context.ts';
import { checkImportJob, type CheckImportPayload } from '../jobs/check-import.ts';
import { findColumnProblems } from '../jobs/stage-sheets.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Stores the columns of a sheet, remembers those that no header told, and checks the rows anew unless a required column
 * is still missing.
 *
 * @throws `invalidRequest` (400) for an unknown column or one that is chosen twice; `conflict` (409)
 */
export async function chooseColumns(
  context: ImportContext,
  { caller }: Author,
  uid: string,
  { sheet: id, headers }: BodyOf<typeof chooseImportColumns>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const sheet = getSheet(kind, id);
  const chosen = new Map(headers.map(({ header, column }) => [header, column]));
  const columns = [...chosen.values()].filter((column) => column !== null);
  if (columns.some((column) => !sheet.columns.some((each) => each.id === column))) throw wrongColumns();
  assertChosenOnce(columns);
  await context.tables.transaction().execute(async (transaction) => {
    const locked = await transaction
      .selectFrom('batch')
      .select(['phase'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(locked, ['COLUMNS', 'PREVIEW']);
    const sheets = await transaction.selectFrom('sheet').selectAll().where('batch', '=', uid).execute();
    const matched = sheets.map((each) => ({
      sheet: each.sheet,
      headers: each.headers.map((match, index) =>
        each.sheet === id && chosen.has(match.header)
          ? { ...match, column: isFirst(each.headers, index) ? chosen.get(match.header)! : null, by: 'CHOSEN' as const }
          : match,
      ),
    }));
    const own = matched.find((each) => each.sheet === id)?.headers ?? [];
    assertChosenOnce(own.flatMap(({ column }) => column ?? []));
    await transaction
      .updateTable('sheet')
      .set({ headers: JSON.stringify(own) })
      .where('batch', '=', uid)
      .where('sheet', '=', id)
      .execute();
    const remembered = own.filter(
      ({ header, by }, index) => by === 'CHOSEN' && isFirst(own, index) && header.length <= maxRememberedLength,
    );
    if (remembered.length > 0)
      await transaction
        .insertInto('header_choice')
        .values(
          [...new Map(remembered.map((match) => [toHeaderKey(match.header), match.column]))].map(
            ([header, column]) => ({
              kind: kind.id,
              sheet: id,
              header,
              column_id: column,
            }),
          ),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'sheet', 'header'])
            .doUpdateSet(({ ref }) => ({ column_id: ref('excluded.column_id') })),
        )
        .execute();
    const problems = matched.map((each) => findColumnProblems(getSheet(kind, each.sheet), each.headers));
    const findings = problems.flatMap((problem) => problem.findings);
    const job = problems.some(({ mustChoose }) => mustChoose)
      ? null
      : await context.jobs.start<CheckImportPayload>(
          checkImportJob,
          { batch: uid, read: false },
          caller.uid,
          transaction,
        );
    await transaction
      .updateTable('batch')
      .set(({ eb }) => ({
        phase: job === null ? ('COLUMNS' as const) : ('CHECKING' as const),
        job,
        findings: JSON.stringify(findings),
        version: eb('version', '+', 1),
      }))
      .where('uid', '=', uid)
      .execute();
  });
  await context.jobs.notifyRunners();
  return loadImport(context, uid, kind);
}

/** Longer headers and values are not remembered: an index cannot hold them. */
export const maxRememberedLength = 500;

const wrongColumns = (): Error =>
  invalidRequest('The columns are unknown or chosen twice.', [
    { pointer: '/headers', message: 'core.validation.choice' },
  ]);

/** @throws `invalidRequest` (400) */
function assertChosenOnce(columns: readonly string[]): void {
  if (new Set(columns).size < columns.length) throw wrongColumns();
}

/** Whether no header before has the same text. */
const isFirst = (headers: readonly { readonly header: string }[], index: number): boolean =>
  headers.findIndex(({ header }) => header === headers[index]?.header) === index;
