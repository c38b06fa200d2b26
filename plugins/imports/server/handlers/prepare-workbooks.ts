import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql, type Selectable } from 'kysely';
import type { BodyOf, LocalizedError } from '#core';
import { conflict, noAccess, type Caller } from '#core/server';
import type { ListedRows } from '#plugins/imports';
import type { createWorkbook, PreparedFile } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { toErrorName } from '../../common/replaced-files.ts';
import { withTemporaryFolder } from '../adapters/temporary-folder.ts';
import { formatFinding, type WorkbookLanguage } from '../commands/format-finding.ts';
import { pickFileOfFirstRow } from '../commands/pick-file.ts';
import { writeKindWorkbook } from '../commands/write-kind-workbook.ts';
import { fileGuard, findPlace, getBatch, readScope, type ImportContext } from '../import-context.ts';
import type { ImportsTables } from '../tables.ts';
import type { CellFinding } from '../workbooks/workbook-types.ts';
import { writeErrorWorkbook } from '../workbooks/write-error-workbook.ts';
import { writeWorkbook } from '../workbooks/write-workbook.ts';

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Writes a template, or an export with today's rows.
 *
 * @throws `invalidRequest` (400) without the site that the kind needs; `noAccess` (403)
 */
export async function prepareWorkbook(
  context: ImportContext,
  caller: Caller,
  kindId: string,
  { site, language, rows }: BodyOf<typeof createWorkbook>,
): Promise<PreparedFile> {
  const kind = context.kinds.get(kindId, caller);
  const place = await findPlace(context, caller, kind, site);
  const scope = await readScope(context, place);
  return storeWorkbook(context, caller, kind.fileName(place.site ?? ''), async (out) => {
    await writeKindWorkbook(context, kind, out, {
      scope,
      language,
      rows,
      meta: { exportedAt: new Date().toISOString(), scopeCode: place.site ?? '' },
    });
  });
}

/** Writes a list of another plugin, which is no template of an import. */
export const prepareList = (
  context: ImportContext,
  caller: Pick<Caller, 'uid'>,
  { name, title, sheet, columns, rows }: ListedRows,
): Promise<PreparedFile> => {
  const layout = {
    sheets: [{ name: sheet, columns: columns.map((column) => ({ ...column, required: false, note: '' })) }],
    readme: [title],
    meta: { kind: '', exportedAt: new Date().toISOString() },
  };
  return storeWorkbook(context, caller, name, (out) => writeWorkbook(out, layout, () => rows));
};

/**
 * Copies the uploaded workbook with its findings. If workbooks continue each other, it copies the first one with a
 * finding.
 *
 * @throws `conflict` (409) if the import has no workbook
 */
export async function prepareErrorWorkbook(
  context: ImportContext,
  caller: Caller,
  uid: string,
  language: WorkbookLanguage,
): Promise<PreparedFile> {
  const { tables, files } = context;
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const workbooks = await tables
    .selectFrom('file')
    .select(['file', 'name'])
    .where('batch', '=', uid)
    .where('name', 'ilike', '%.xlsx')
    .orderBy('position')
    .execute();
  if (workbooks.length === 0) throw conflict(importsRefusal('imports.refused.wrongPhase'));
  const sheets = await tables.selectFrom('sheet').selectAll().where('batch', '=', uid).execute();
  const { rows: allRows } = await sql<LocalizedError & FindingRow>`
    select finding.sheet, row.number, finding.column_id as column, finding.message, finding.values, finding.severity
    from imports.finding join imports.staged_row as row on row.id = finding.row
    where finding.batch = ${uid} and row.number is not null order by row.id`.execute(tables);
  // Only workbooks of an exported site continue each other.
  const { fileIndex, rows } = batch.api
    ? pickFileOfFirstRow(allRows, workbooks.length)
    : pickWorkbook(
        allRows,
        workbooks.map(({ name }) => name),
        sheets,
      );
  const original = workbooks[fileIndex]!;
  // Of the sheets of a file that are read as the same one, the first is read.
  const fileSheets = batch.file_sheets.filter(({ file }) => file === original.name);
  const findings = rows.map(({ sheet: id, number, column, severity, ...finding }): CellFinding => {
    const sheet = kind.sheets.find((each) => each.id === id);
    const { headers = [], constants = {} } = sheets.find((each) => each.sheet === id) ?? {};
    const index = column === null ? -1 : headers.findIndex((each) => each.column === column);
    const definition = sheet?.columns.find((each) => each.id === column);
    const isConstant = constants[column ?? '']?.by === 'CHOSEN';
    const text = formatFinding(finding, definition, language, kind);
    const message = isConstant
      ? formatFinding(importsRefusal('imports.refused.constantCell', { text }), undefined, language, kind)
      : text;
    return {
      sheet: fileSheets.find((each) => each.sheet === id)?.name ?? sheet?.name ?? id,
      row: number,
      column: headers[index]?.header || null,
      columnIndex: index < 0 ? null : index,
      message,
      severity,
    };
  });
  const content = await files.read(original.file);
  const name = kind.errorFileName?.(batch.site ?? '') ?? toErrorName(original.name);
  return storeWorkbook(context, caller, name, async (out) => {
    const originalPath = path.join(path.dirname(out), 'original.xlsx');
    await pipeline(content, createWriteStream(originalPath));
    await writeErrorWorkbook(originalPath, out, findings);
  });
}

/** Picks the workbook with the first finding, else the last one that was read, and the findings of its sheets. */
function pickWorkbook<Row extends FindingRow>(
  rows: readonly Row[],
  names: readonly string[],
  sheets: readonly Pick<Selectable<ImportsTables['sheet']>, 'sheet' | 'file'>[],
): { readonly fileIndex: number; readonly rows: readonly Row[] } {
  // Sheets of earlier versions were read from the first file.
  const toFileIndex = ({ sheet }: { readonly sheet: string }): number =>
    names.indexOf(sheets.find((each) => each.sheet === sheet)?.file ?? names[0]!);
  const fileIndexes = rows.map(toFileIndex).filter((index) => index >= 0);
  const fileIndex = fileIndexes[0] ?? Math.max(0, ...sheets.map(toFileIndex));
  return { fileIndex, rows: rows.filter((row) => toFileIndex(row) === fileIndex) };
}

interface FindingRow {
  readonly sheet: string;
  readonly number: number;
  readonly column: string | null;
  readonly severity: CellFinding['severity'];
}

/** Stores a file that only its author may read, for a day. */
async function storeWorkbook(
  { tables, files }: ImportContext,
  caller: Pick<Caller, 'uid'>,
  name: string,
  write: (out: string) => Promise<void>,
): Promise<PreparedFile> {
  const { id } = await withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'workbook.xlsx');
    await write(out);
    return files.put({ name, mediaType, audience: { kind: 'signedIn', guard: fileGuard } }, createReadStream(out));
  });
  await tables.insertInto('download').values({ file: id, author: caller.uid, created_at: new Date() }).execute();
  const expiredDownloads = await tables
    .deleteFrom('download')
    .where('created_at', '<', new Date(Date.now() - downloadLifetimeMs))
    .returning('file')
    .execute();
  for (const { file } of expiredDownloads) await files.remove(file);
  return { address: files.url(id), name };
}

const downloadLifetimeMs = 24 * 60 * 60 * 1000;

/**
 * Lets people who may see an import read its uploaded workbooks, and only their author read prepared ones.
 *
 * @throws `noAccess` (403)
 */
export async function assertCanReadFile(context: ImportContext, file: string, caller: Caller): Promise<void> {
  const download = await context.tables
    .selectFrom('download')
    .select('author')
    .where('file', '=', file)
    .executeTakeFirst();
  if (download?.author === caller.uid) return;
  // Uploaded pictures still contain metadata such as the place of a photo, so nobody can download them.
  const uploadedFile = await context.tables
    .selectFrom('file')
    .select('batch')
    .where('file', '=', file)
    .where('picture', '=', false)
    .executeTakeFirst();
  if (!uploadedFile || !caller.access.flags.includes('import')) throw noAccess();
  await getBatch(context, caller, uploadedFile.batch);
}
