import path from 'node:path';
import { ConfigurationError, type ExampleOptions, type ExampleWorkbook } from '#core/server';
import type { ImportScope, ImportSheet } from '#plugins/imports';
import { listCells, toLayout, writeKindWorkbook } from '../commands/write-kind-workbook.ts';
import type { ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { createEmptyFolder } from '../site-transfers/empty-folder.ts';
import { writeWorkbook } from '../workbooks/write-workbook.ts';
import { createErrorRows, type ExampleCells } from './example-rows.ts';

/** How many of today's rows are read: more than the rows of an error workbook refer to. */
const maxRows = 1000;

const expectedMessageColumn = {
  en: { header: 'Expected message', readme: 'Each row has one error; the column “Expected message” names it.' },
  fr: { header: 'Message attendu', readme: 'Chaque ligne a une erreur ; la colonne « Message attendu » la nomme.' },
} as const;

/** Writes two workbooks for every kind: one with today's rows, and one with a wrong row for each check. */
export async function writeExampleWorkbooks(
  context: ImportContext,
  { folder, site, language, sheets: examples }: ExampleOptions,
): Promise<readonly ExampleWorkbook[]> {
  const locations = await context.locations.descendants(site);
  const { timeZone } = await context.sites.recordAt(site);
  await createEmptyFolder(folder);
  const workbooks: ExampleWorkbook[] = [];
  for (const kind of context.kinds.all()) {
    const scope: ImportScope =
      kind.scope === 'SITE'
        ? { site, locations, timeZone }
        : { site: null, locations: kind.scope === 'LOCATIONS' ? locations : [], timeZone: 'UTC', all: true };
    const file = kind.fileName(site);
    const meta = { scopeCode: scope.site ?? '' };
    const { counts } = await writeKindWorkbook(context, kind, path.join(folder, file), {
      scope,
      language,
      rows: true,
      meta,
    });
    const errorFile = file.replace(/\.xlsx$/, '_WITH_ERRORS.xlsx');
    const findings = await writeErrors({ context, kind, scope, language, examples }, path.join(folder, errorFile));
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    workbooks.push({ kind: kind.id, file, rows, errorFile, findings });
  }
  return workbooks;
}

interface ErrorsOptions {
  readonly context: ImportContext;
  readonly kind: AnyKind;
  readonly scope: ImportScope;
  readonly language: ExampleOptions['language'];
  readonly examples: ExampleOptions['sheets'];
}

async function writeErrors(
  { context, kind, scope, language, examples }: ErrorsOptions,
  outFile: string,
): Promise<ExampleWorkbook['findings']> {
  const today = new Map<string, readonly ExampleCells[]>();
  for (const sheet of kind.sheets) today.set(sheet.id, await readRows(context, sheet, scope, language));
  const sheets = new Map(
    kind.sheets.map((sheet) => {
      const example = examples[kind.id]?.[sheet.id];
      if (!example) throw new ConfigurationError(`The examples lack the sheet ${sheet.id} of ${kind.id}.`);
      return [sheet.name, { sheet, ...createErrorRows({ kind, sheet, example, language, today }) }] as const;
    }),
  );
  const column = {
    header: expectedMessageColumn[language].header,
    required: false,
    note: '',
    kind: 'text' as const,
    width: 60,
  };
  const layout = {
    sheets: kind.sheets.map((sheet) => {
      const sheetLayout = toLayout(sheet, language);
      return { ...sheetLayout, columns: [...sheetLayout.columns, column] };
    }),
    readme: [kind.title[language], expectedMessageColumn[language].readme],
    meta: { kind: kind.id, locale: language, scopeCode: scope.site ?? '' },
  };
  await writeWorkbook(outFile, layout, async function* list(name) {
    const { sheet, rows, findings } = sheets.get(name) ?? { sheet: undefined, rows: [], findings: [] };
    for (const [index, cells] of rows.entries()) {
      const rowFindings = findings.filter(({ row }) => row === index + 2);
      const remarks = rowFindings.map((finding) => `[${finding.column}] ${finding.message}`);
      yield [...(sheet?.columns ?? []).map(({ id }) => cells[id] ?? null), remarks.join('; ') || null];
    }
  });
  return [...sheets.values()].flatMap(({ findings }) => findings);
}

async function readRows(
  { tables }: ImportContext,
  sheet: ImportSheet,
  scope: ImportScope,
  language: ExampleOptions['language'],
): Promise<readonly ExampleCells[]> {
  const rows: ExampleCells[] = [];
  for await (const { cells } of listCells(tables, sheet, { scope, language })) {
    if (rows.push(Object.fromEntries(sheet.columns.map(({ id }, index) => [id, cells[index] ?? null]))) >= maxRows)
      break;
  }
  return rows;
}
