import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { wallTimeAt, type BodyOf, type LocalizedError } from '#core';
import { conflict, noAccess, type Caller } from '#core/server';
import type { ImportColumn, ImportScope, ImportSheet, ImportValue, ListedRows } from '#plugins/imports';
import type { createWorkbook, PreparedFile } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { withTemporaryFolder } from '../adapters/temporary-folder.ts';
import { formatFinding, type WrittenLanguage } from '../commands/format-finding.ts';
import { fileGuard, findPlace, getBatch, readScope, type ImportContext } from '../import-context.ts';
import type { Values } from '../tables.ts';
import type { CellFinding, CellValue, SheetLayout } from '../workbooks/workbook-types.ts';
import { writeErrorWorkbook } from '../workbooks/write-error-workbook.ts';
import { writeWorkbook } from '../workbooks/write-workbook.ts';

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const templateVersion = '1';

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
  const layout = {
    sheets: kind.sheets.map((sheet) => toLayout(sheet, language)),
    readme: [kind.title[language], ...kind.readme.map((line) => line[language])],
    meta: {
      kind: kind.id,
      templateVersion,
      locale: language,
      exportedAt: new Date().toISOString(),
      scopeCode: place.site ?? '',
    },
  };
  return storeWorkbook(context, caller, kind.fileName(place.site ?? ''), (out) =>
    writeWorkbook(out, layout, (name) => {
      const sheet = kind.sheets.find((each) => each.name === name);
      return sheet && rows ? listCells(context, sheet, scope, language) : listNothing();
    }),
  );
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

function toLayout({ name, columns }: ImportSheet, language: WrittenLanguage): SheetLayout {
  return {
    name,
    columns: columns.map((column) => ({
      header: column.header[language],
      required: column.required ?? false,
      note: column.note?.[language] ?? '',
      kind: toKind(column),
      ...(column.values ? { values: column.values.map(({ label }) => label[language]) } : {}),
    })),
  };
}

const toKind = ({ type }: ImportColumn): SheetLayout['columns'][number]['kind'] =>
  type === 'NUMBER' || type === 'INTEGER'
    ? 'number'
    : type === 'DATETIME'
      ? 'date'
      : type === 'BOOLEAN'
        ? 'boolean'
        : 'text';

async function* listNothing(): AsyncIterable<readonly CellValue[]> {}

async function* listCells(
  { tables }: ImportContext,
  sheet: ImportSheet,
  scope: ImportScope,
  language: WrittenLanguage,
): AsyncIterable<readonly CellValue[]> {
  const order = sheet.columns.filter(({ key }) => key === true).map(({ id }) => sql`lower(present.values ->> ${id})`);
  const { rows } = await sql<{ values: Values }>`
    select present.values from (${sheet.current(scope)}) as present order by ${sql.join(order)}`.execute(tables);
  for (const { values } of rows)
    yield sheet.columns.map((column) => toCell(column, values[column.id] ?? null, scope, language));
}

function toCell(
  column: ImportColumn,
  value: ImportValue,
  { timeZone }: ImportScope,
  language: WrittenLanguage,
): CellValue {
  if (typeof value === 'object' && value !== null) return value.join('; ');
  if (column.type === 'DATETIME' && typeof value === 'string')
    return new Date(`${wallTimeAt(new Date(value), timeZone)}Z`);
  if (column.values && typeof value === 'string')
    return column.values.find((choice) => choice.value === value)?.label[language] ?? value;
  return value;
}

/**
 * Copies the uploaded workbook with its findings.
 *
 * @throws `conflict` (409) if the import has no workbook
 */
export async function prepareErrorWorkbook(
  context: ImportContext,
  caller: Caller,
  uid: string,
  language: WrittenLanguage,
): Promise<PreparedFile> {
  const { tables, files } = context;
  const batch = await getBatch(context, caller, uid);
  const kind = context.kinds.get(batch.kind, caller);
  const original = await tables
    .selectFrom('file')
    .select(['file', 'name'])
    .where('batch', '=', uid)
    .where('name', 'ilike', '%.xlsx')
    .orderBy('position')
    .executeTakeFirst();
  if (!original) throw conflict(importsRefusal('imports.refused.wrongPhase'));
  const sheets = await tables.selectFrom('sheet').selectAll().where('batch', '=', uid).execute();
  const { rows } = await sql<LocalizedError & FindingRow>`
    select finding.sheet, row.number, finding.column_id as column, finding.message, finding.values, finding.severity
    from imports.finding join imports.staged_row as row on row.id = finding.row
    where finding.batch = ${uid} and row.number is not null order by row.id`.execute(tables);
  const findings = rows.map(({ sheet: id, number, column, severity, ...finding }): CellFinding => {
    const sheet = kind.sheets.find((each) => each.id === id);
    const header = sheets.find((each) => each.sheet === id)?.headers.find((each) => each.column === column)?.header;
    const definition = sheet?.columns.find((each) => each.id === column);
    const message = formatFinding(finding, definition, language, kind);
    return { sheet: sheet?.name ?? id, row: number, column: header ?? null, message, severity };
  });
  const content = await files.read(original.file);
  const name =
    kind.errorFileName?.(batch.site ?? '') ?? `${path.basename(original.name, path.extname(original.name))}_ERROR.xlsx`;
  return storeWorkbook(context, caller, name, async (out) => {
    const local = path.join(path.dirname(out), 'original.xlsx');
    await pipeline(content, createWriteStream(local));
    await writeErrorWorkbook(local, out, findings);
  });
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
  const expired = await tables
    .deleteFrom('download')
    .where('created_at', '<', new Date(Date.now() - downloadLifetimeMs))
    .returning('file')
    .execute();
  for (const { file } of expired) await files.remove(file);
  return { address: files.address(id), name };
}

const downloadLifetimeMs = 24 * 60 * 60 * 1000;

/** Uploaded files may be read by who may see the import, prepared ones by their author. */
export async function assertMayRead(context: ImportContext, file: string, caller: Caller): Promise<void> {
  const download = await context.tables
    .selectFrom('download')
    .select('author')
    .where('file', '=', file)
    .executeTakeFirst();
  if (download?.author === caller.uid) return;
  const uploaded = await context.tables.selectFrom('file').select('batch').where('file', '=', file).executeTakeFirst();
  if (!uploaded || !caller.access.flags.includes('import')) throw noAccess();
  await getBatch(context, caller, uploaded.batch);
}
