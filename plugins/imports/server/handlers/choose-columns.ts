import type { Transaction } from 'kysely';
import type { BodyOf, LengthUnit } from '#core';
import { invalidRequest, type CallAuthor } from '#core/server';
import type { Import, ImportSheet } from '#plugins/imports';
import type { chooseImportColumns } from '../../contract/api.ts';
import { listFormats } from '../../common/column-readings.ts';
import { findColumnUnit, findUnitReading } from '../../common/column-units.ts';
import { toHeaderKey, type MatchedHeader } from '../../common/match-headers.ts';
import { assertPhase, getBatch, readScope, type ImportContext } from '../import-context.ts';
import { checkImportJob, type CheckImportPayload } from '../jobs/check-import.ts';
import { findColumnProblems, withoutColumnProblems } from '../queries/find-column-problems.ts';
import { getSheet } from '../kinds/kind-registry.ts';
import { loadImport } from '../queries/load-import.ts';
import type { ImportsTables } from '../tables.ts';
import { parseConstants, rememberConstants, omitMatchedColumns } from './choose-constants.ts';

/**
 * Stores the columns of a sheet, how they are read, and the values of those that the file lacks. Remembers the choices
 * of the person for later files, and checks the rows again unless a required column is still missing.
 *
 * @throws `invalidRequest` (400) for an unknown column, one that is chosen twice, or a format, unit or value that does
 *   not suit it; `conflict` (409)
 */
export async function chooseColumns(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { sheet: sheetId, headers, constants: chosenConstants }: BodyOf<typeof chooseImportColumns>,
): Promise<Import> {
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const sheet = getSheet(kind, sheetId);
  const choiceByHeader = new Map(headers.map((choice) => [choice.header, choice]));
  const columns = headers.flatMap(({ column }) => column ?? []);
  if (columns.some((column) => !sheet.columns.some((each) => each.id === column))) throw createColumnsError();
  assertChosenOnce(columns);
  assertReadingsSuitColumns(sheet, headers);
  const scope = await readScope(context, batch);
  await context.tables.transaction().execute(async (transaction) => {
    const lockedBatch = await transaction
      .selectFrom('batch')
      .select(['phase', 'findings'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    assertPhase(lockedBatch, ['COLUMNS', 'PREVIEW']);
    const sheets = await transaction.selectFrom('sheet').selectAll().where('batch', '=', uid).execute();
    const matchedSheets = sheets.map((each) => ({
      sheet: each.sheet,
      constants: each.constants,
      headers: each.headers.map((match, index) =>
        each.sheet === sheetId && choiceByHeader.has(match.header)
          ? applyChoice(match, choiceByHeader.get(match.header)!, isFirst(each.headers, index))
          : match,
      ),
    }));
    const chosenSheet = matchedSheets.find((each) => each.sheet === sheetId);
    const sheetHeaders = chosenSheet?.headers ?? [];
    assertChosenOnce(sheetHeaders.flatMap(({ column }) => column ?? []));
    const formerConstants = omitMatchedColumns(chosenSheet?.constants ?? {}, sheetHeaders);
    const constants = chosenConstants ? parseConstants(sheet, sheetHeaders, scope, chosenConstants) : formerConstants;
    if (chosenConstants)
      await rememberConstants(transaction, { kind: kind.id, sheet, scope }, formerConstants, constants);
    await transaction
      .updateTable('sheet')
      .set({ headers: JSON.stringify(sheetHeaders), constants: JSON.stringify(constants) })
      .where('batch', '=', uid)
      .where('sheet', '=', sheetId)
      .execute();
    const headersToRemember = sheetHeaders.filter(
      ({ header, by }, index) =>
        by === 'CHOSEN' && isFirst(sheetHeaders, index) && header.length <= maxRememberedLength,
    );
    if (headersToRemember.length > 0)
      await transaction
        .insertInto('header_choice')
        .values(
          [...new Map(headersToRemember.map((match) => [toHeaderKey(match.header), match]))].map(([header, match]) => ({
            kind: kind.id,
            sheet: sheetId,
            header,
            column_id: match.column,
            unit: findSeenUnit(sheet, match),
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'sheet', 'header'])
            .doUpdateSet(({ ref }) => ({ column_id: ref('excluded.column_id'), unit: ref('excluded.unit') })),
        )
        .execute();
    await rememberFormats(transaction, kind.id, sheetId, sheetHeaders);
    const problems = matchedSheets.map((each) =>
      findColumnProblems(getSheet(kind, each.sheet), each.headers, each.sheet === sheetId ? constants : each.constants),
    );
    const findings = [
      ...withoutColumnProblems(lockedBatch.findings),
      ...problems.flatMap((problem) => problem.findings),
    ];
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

type ChosenHeader = BodyOf<typeof chooseImportColumns>['headers'][number];

const applyChoice = (
  match: MatchedHeader,
  { column, format, unit, unitConfirmed = false }: ChosenHeader,
  isFirstWithHeader: boolean,
): MatchedHeader => ({
  ...match,
  unitConfirmed,
  column: isFirstWithHeader ? column : null,
  by: 'CHOSEN',
  ...(format ? { format, formatBy: 'CHOSEN' as const } : {}),
  ...(unit ? { unit } : {}),
});

/** Finds the unit in which a column of lengths is read. Null while a person must still choose it. */
function findSeenUnit({ columns }: ImportSheet, match: MatchedHeader): LengthUnit | null {
  const column = columns.find(({ id }) => id === match.column);
  const reading = column && findUnitReading(match, column);
  return reading && !reading.isOpen ? reading.unit : null;
}

/** Remembers the formats that a person chose, for the next file with these headers. */
async function rememberFormats(
  transaction: Transaction<ImportsTables>,
  kind: string,
  sheet: string,
  headers: readonly MatchedHeader[],
): Promise<void> {
  const formats = new Map(
    headers.flatMap(({ header, format, formatBy }) =>
      format && formatBy === 'CHOSEN' && header.length <= maxRememberedLength ? [[toHeaderKey(header), format]] : [],
    ),
  );
  if (formats.size === 0) return;
  await transaction
    .insertInto('format_choice')
    .values([...formats].map(([header, format]) => ({ kind, sheet, header, format })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'sheet', 'header']).doUpdateSet(({ ref }) => ({ format: ref('excluded.format') })),
    )
    .execute();
}

/** Longer headers and values are not remembered: an index cannot hold them. */
export const maxRememberedLength = 500;

const createColumnsError = (): Error =>
  invalidRequest('The columns are unknown or chosen twice.', [
    { pointer: '/headers', message: 'core.validation.choice' },
  ]);

/** @throws `invalidRequest` (400) */
function assertChosenOnce(columns: readonly string[]): void {
  if (new Set(columns).size < columns.length) throw createColumnsError();
}

/** @throws `invalidRequest` (400) */
function assertReadingsSuitColumns({ columns }: ImportSheet, headers: readonly ChosenHeader[]): void {
  const isWrong = ({ column: id, format, unit }: ChosenHeader): boolean => {
    const column = columns.find((each) => each.id === id);
    if (format !== undefined && !listFormats(column?.type).includes(format)) return true;
    return unit !== undefined && (!column || findColumnUnit(column) === undefined);
  };
  if (headers.some(isWrong))
    throw invalidRequest('A format or unit does not suit its column.', [
      { pointer: '/headers', message: 'core.validation.choice' },
    ]);
}

/** Whether no earlier header has the same text. */
const isFirst = (headers: readonly { readonly header: string }[], index: number): boolean =>
  headers.findIndex(({ header }) => header === headers[index]?.header) === index;
