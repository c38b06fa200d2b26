import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { ImportedCounts, ImportedFile, SiteContent, SiteExport, SiteImport } from '#core/server';
import { maxRowsPerSheet, type ImportScope } from '#plugins/imports';
import { readImportFile } from '../adapters/read-import-file.ts';
import { withTemporaryFolder } from '../adapters/temporary-folder.ts';
import { writeKindWorkbook, type WrittenWorkbook } from '../commands/write-kind-workbook.ts';
import type { ImportContext } from '../import-context.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { importWorkbook } from './import-workbook.ts';

/** The name of the workbook of a kind. Workbooks that continue it have the numbers from 2. */
const toFileName = ({ id }: AnyKind, part = 1): string => `${id}${part === 1 ? '' : `-${part}`}.xlsx`;

/** Finds the workbooks of a kind, in their order. */
function findFiles({ files }: Pick<SiteImport, 'files'>, kind: AnyKind): readonly ImportedFile[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const matchingFiles: ImportedFile[] = [];
  for (let file = byName.get(toFileName(kind)); file; file = byName.get(toFileName(kind, matchingFiles.length + 1)))
    matchingFiles.push(file);
  return matchingFiles;
}

/**
 * Exports and imports the rows of a site as workbooks, one for each kind of import, without people. Sheets with more
 * rows than an import accepts continue in further workbooks.
 */
export const createWorkbookContent = (context: ImportContext, maxRows = maxRowsPerSheet): SiteContent => ({
  id: 'workbooks',
  title: { en: 'Workbooks', fr: 'Classeurs' },
  folder: 'workbooks',
  order: 10,
  export: async (siteExport) => {
    const { usable, forbidden } = listKinds(context, siteExport.flags);
    for (const kind of usable) await exportKind(context, kind, siteExport, maxRows);
    for (const kind of forbidden) noteForbiddenKind(siteExport, kind);
    siteExport.note(
      'Not included: people, with their accounts, roles and passwords.',
      'Les personnes n’y sont pas : comptes, rôles et mots de passe.',
    );
  },
  check: async (source) => {
    for (const kind of listKinds(context, source.author.caller.access.flags).usable)
      for (const file of findFiles(source, kind)) {
        // Reads to the end, so that a file that is cut off is noticed before anything is written.
        const rows = readImportFile({ path: file.path, name: file.name }, kind, source.signal)[Symbol.asyncIterator]();
        while ((await rows.next()).done !== true);
      }
  },
  import: async (source) => {
    const totals = { added: 0, changed: 0, unchanged: 0 };
    const isNewSite = source.dryRun && !(await context.locations.find(source.site));
    const { usable, forbidden } = listKinds(context, source.author.caller.access.flags);
    for (const kind of forbidden) if (findFiles(source, kind).length > 0) noteForbiddenKind(source, kind);
    for (const kind of usable) {
      const files = findFiles(source, kind);
      if (files.length === 0) continue;
      if (isNewSite && kind.scope === 'SITE') {
        for (const file of files) totals.added += await countRows(kind, file, source.signal);
        continue;
      }
      // In a dry run, rows may have errors because they refer to rows that earlier workbooks would add.
      const mayReferToAddedRows = source.dryRun && totals.added + totals.changed > 0;
      const counts = await importWorkbook(context, kind, files, source, mayReferToAddedRows);
      for (const name of ['added', 'changed', 'unchanged'] as const) totals[name] += counts[name];
      if (counts.withErrors > 0)
        source.note(
          `${counts.withErrors} rows of ${toFileName(kind)} have errors, or refer to rows that the import adds. They are checked ` +
            'again when it is imported.',
          `${counts.withErrors} lignes de ${toFileName(kind)} ont des erreurs ou se réfèrent à ce que l’import ajoute. Elles ` +
            'sont vérifiées de nouveau quand il est fait.',
        );
    }
    noteUnknownFiles(source, [...usable, ...forbidden]);
    return totals satisfies ImportedCounts;
  },
});

async function countRows(kind: AnyKind, { path: file, name }: ImportedFile, signal: AbortSignal): Promise<number> {
  const sheets = new Set(kind.sheets.map((sheet) => sheet.name));
  let count = 0;
  const sheetsWithHeader = new Set<string>();
  for await (const { sheet } of readImportFile({ path: file, name }, kind, signal)) {
    if (!sheets.has(sheet)) continue;
    if (sheetsWithHeader.has(sheet)) count += 1;
    else sheetsWithHeader.add(sheet);
  }
  return count;
}

/** Lists the kinds of a site: `usable` are those that a person with these flags may use, `forbidden` the others. */
function listKinds(
  { kinds }: ImportContext,
  flags: SiteExport['flags'],
): { readonly usable: readonly AnyKind[]; readonly forbidden: readonly AnyKind[] } {
  const all = kinds.all().filter(({ personal, inOtherContent }) => personal !== true && inOtherContent !== true);
  const isUsable = ({ access }: AnyKind): boolean => access === undefined || flags === 'ALL' || flags.includes(access);
  return { usable: all.filter(isUsable), forbidden: all.filter((kind) => !isUsable(kind)) };
}

const noteForbiddenKind = ({ note }: Pick<SiteExport, 'note'>, kind: AnyKind): void =>
  note(
    `Left out: ${toFileName(kind)}, because the person lacks the right ${kind.access ?? ''}.`,
    `Laissé de côté : ${toFileName(kind)}, car la personne n’a pas le droit ${kind.access ?? ''}.`,
  );

function noteUnknownFiles(source: SiteImport, kinds: readonly AnyKind[]): void {
  const knownNames = new Set(kinds.flatMap((kind) => findFiles(source, kind).map(({ name }) => name)));
  for (const { name } of source.files)
    if (!knownNames.has(name))
      source.note(
        `Left out: ${name}, because this product has no plugin for it.`,
        `Laissé de côté : ${name}, car ce produit n’a pas de plugin pour cela.`,
      );
}

async function exportKind(
  context: ImportContext,
  kind: AnyKind,
  siteExport: SiteExport,
  maxRows: number,
): Promise<void> {
  const scope = await toExportScope(context, kind, siteExport);
  await withTemporaryFolder(async (folder) => {
    const rowsBySheet: Record<string, number> = {};
    let after: WrittenWorkbook['nextStart'];
    for (let part = 1; part === 1 || after; part += 1) {
      const file = path.join(folder, toFileName(kind, part));
      const { counts, nextStart } = await writeKindWorkbook(context, kind, file, {
        scope,
        language: siteExport.language,
        rows: true,
        pictures: false,
        meta: { scopeCode: scope.site ?? '' },
        maxRows,
        ...(after ? { after } : {}),
      });
      for (const [sheet, rows] of Object.entries(counts)) rowsBySheet[sheet] = (rowsBySheet[sheet] ?? 0) + rows;
      if (Object.values(counts).some((rows) => rows > 0))
        await siteExport.add(toFileName(kind, part), createReadStream(file));
      after = nextStart;
    }
    const filledSheets = Object.entries(rowsBySheet).filter(([, rows]) => rows > 0);
    siteExport.count(Object.fromEntries(filledSheets.map(([sheet, rows]) => [`${kind.id} ${sheet}`, rows])));
  });
}

async function toExportScope(
  { sites }: Pick<ImportContext, 'sites'>,
  { scope }: AnyKind,
  { site, locations }: Pick<SiteExport, 'site' | 'locations'>,
): Promise<ImportScope> {
  if (scope === 'SITE') return { site, locations, timeZone: (await sites.recordAt(site)).timeZone };
  return { site: null, locations: scope === 'LOCATIONS' ? locations : [], timeZone: 'UTC', all: true };
}
