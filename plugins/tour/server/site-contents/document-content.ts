import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { sql, type Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import {
  atLocation,
  findMediaType,
  matchesAny,
  type ServerContext,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import type { ContentContext } from '../contents/content-context.ts';
import {
  addDocument,
  saveDocument,
  saveLinks,
  saveRevision,
  saveRevisionData,
  type DocumentTarget,
} from '../contents/document-changes.ts';
import type { TourTables } from '../tables.ts';
import { toJson } from './tour-content.ts';

const documentsFile = 'documents.json';
const ExportedDocument = Type.Object({
  code: Type.String({ minLength: 1 }),
  title: Type.String(),
  location: Type.String(),
  revisions: Type.Array(
    Type.Object({
      revision: Type.String(),
      /** Suitability by ISO 19650-2. */
      status: Type.String(),
      /** `YYYY-MM-DD`. */
      issuedOn: Type.String({ format: 'date' }),
      file: Type.String(),
      /** Name of the uploaded file. */
      name: Type.String(),
    }),
  ),
  /** Numbers of the tags and lines that the document describes. */
  tags: Type.Array(Type.String()),
});
type ExportedDocument = Static<typeof ExportedDocument>;
type RevisionRow = Selectable<TourTables['document_revision']>;
const Documents = Type.Array(ExportedDocument);

/** Exports and imports documents with their revisions, and the tags that they describe. */
export const createDocumentContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'documents',
  title: { en: 'Documents', fr: 'Documents' },
  frenchCountLabels: { documents: 'documents', revisions: 'révisions' },
  folder: 'documents',
  order: 50,
  export: (siteExport) => exportDocuments(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const { revisions } of await read(documentsFile, Documents))
      for (const revision of revisions) requireFile(revision.file);
  },
  import: (source) => importDocuments(context, source),
});

async function exportDocuments({ tables, files }: ContentContext, siteExport: SiteExport): Promise<void> {
  const documents = await tables
    .selectFrom('document')
    .select(['uid', 'code', 'title', 'location'])
    .where('site', '=', siteExport.site)
    .where(atLocation('location', siteExport.locations))
    .orderBy('code')
    .execute();
  if (documents.length === 0) return;
  const uids = documents.map(({ uid }) => uid);
  const revisions = await tables
    .selectFrom('document_revision')
    .selectAll()
    .where(matchesAny('document', uids))
    .orderBy('issued_on')
    .orderBy('revision')
    .execute();
  const storedFiles = await files.findAll(revisions.map(({ file }) => file));
  const links = await readLinks(tables, uids);
  const revisionsByDocument = new Map(uids.map((uid) => [uid, [] as typeof revisions]));
  for (const revision of revisions) revisionsByDocument.get(revision.document)?.push(revision);
  const exportedDocuments: ExportedDocument[] = [];
  for (const { uid, ...document } of documents) {
    const exportedRevisions: ExportedDocument['revisions'] = [];
    for (const { revision, status, issued_on: issuedOn, file: id } of revisionsByDocument.get(uid) ?? []) {
      const file = await siteExport.addStored(`${document.code}/${revision}`, id);
      if (file === undefined)
        siteExport.note(
          `The file of ${document.code}, revision ${revision} is missing.`,
          `Le fichier de ${document.code}, révision ${revision}, manque.`,
        );
      else exportedRevisions.push({ revision, status, issuedOn, file, name: storedFiles.get(id)?.name ?? file });
    }
    exportedDocuments.push({ ...document, revisions: exportedRevisions, tags: links.get(uid) ?? [] });
  }
  await siteExport.add(documentsFile, toJson(exportedDocuments));
  siteExport.count({ documents: documents.length, revisions: revisions.length });
}

async function readLinks(
  tables: ContentContext['tables'],
  documents: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await sql<{ document: string; tags: string[] }>`
    select document, array_agg(tag.code order by tag.code) as tags
    from tour.document_link join tour.tag on tag.uid = document_link.tag
    where document = any(${[...documents]}::text[]) group by document`.execute(tables);
  return new Map(rows.map(({ document, tags }) => [document, tags]));
}

async function importDocuments(context: ContentContext, source: SiteImport) {
  const { site, author, note, dryRun } = source;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const input = await source.read(documentsFile, Documents);
  const documents = await context.tables.selectFrom('document').selectAll().where('site', '=', site).execute();
  const documentByCode = new Map(documents.map((document) => [document.code.toUpperCase(), document]));
  const uids = documents.map(({ uid }) => uid);
  const revisions = await context.tables
    .selectFrom('document_revision')
    .selectAll()
    .where(matchesAny('document', uids))
    .execute();
  const storedFiles = await context.files.findAll(revisions.map(({ file }) => file));
  const revisionsByDocument = new Map(uids.map((uid) => [uid, new Map<string, RevisionRow>()]));
  for (const revision of revisions) revisionsByDocument.get(revision.document)?.set(revision.revision, revision);
  const links = await readLinks(context.tables, uids);
  for (const document of input) {
    const { code, title, location } = document;
    const formerDocument = documentByCode.get(code.toUpperCase());
    const uid = formerDocument?.uid ?? randomUUID();
    const target = { location: site, document: uid };
    const isChanged =
      formerDocument &&
      (formerDocument.code !== code || formerDocument.title !== title || formerDocument.location !== location);
    if (!formerDocument && !dryRun) await addDocument(context, author, site, { uid, code, title, location });
    if (formerDocument && isChanged && !dryRun)
      await saveDocument(context, author, target, { version: formerDocument.row_version, code, title, location });
    const changedRevisions = await writeRevisions(context, source, { ...target, code }, document.revisions, {
      rows: revisionsByDocument.get(uid),
      stored: storedFiles,
    });
    const existingLinks = new Set(links.get(uid));
    const addedTags = document.tags.filter((tag) => !existingLinks.has(tag));
    if (addedTags.length > 0 && !dryRun) await linkTags(context, source, uid, addedTags);
    if (!formerDocument) counts.added += 1;
    else if (isChanged || changedRevisions + addedTags.length > 0) counts.changed += 1;
    else counts.unchanged += 1;
    await source.advance(changedRevisions);
  }
  if (input.some(({ revisions: exportedRevisions }) => exportedRevisions.length === 0))
    note('Some documents have no revision.', 'Certains documents n’ont pas de révision.');
  return counts;
}

/**
 * Adds missing revisions, and updates status and date of existing ones. The file of a revision cannot be changed, so a
 * different file is skipped with a note. Returns the number of written revisions.
 */
async function writeRevisions(
  context: ContentContext,
  { author, requireFile: findFile, note, dryRun }: SiteImport,
  { code, ...target }: DocumentTarget & { readonly code: string },
  input: ExportedDocument['revisions'],
  existingRevisions: {
    readonly rows: ReadonlyMap<string, RevisionRow> | undefined;
    readonly stored: ReadonlyMap<string, { readonly sha256: string | null }>;
  },
): Promise<number> {
  let writtenCount = 0;
  for (const { revision, status, issuedOn, file, name } of input) {
    const { path, bytes, sha256 } = findFile(file);
    const row = existingRevisions.rows?.get(revision);
    if (row && existingRevisions.stored.get(row.file)?.sha256 !== sha256)
      note(
        `The file of ${code}, revision ${revision} was left out: this product has another file for it.`,
        `Le fichier de ${code}, révision ${revision}, a été laissé de côté : ce produit en a un autre.`,
      );
    if (row && row.status === status && row.issued_on === issuedOn) continue;
    writtenCount += 1;
    if (dryRun) continue;
    if (row) {
      const version = row.row_version;
      await saveRevisionData(context, author, { ...target, revision }, { version, status, issuedOn });
    } else {
      const receivedFile = { field: 'file', name, mediaType: findMediaType(file), bytes, path };
      const upload = { files: [{ ...receivedFile, stream: () => createReadStream(path) }], fields: {} };
      await saveRevision(context, author, target, { revision, status, issuedOn }, upload);
    }
  }
  return writtenCount;
}

async function linkTags(
  context: ContentContext,
  { site, author, note }: SiteImport,
  document: string,
  numbers: readonly string[],
): Promise<void> {
  const tags = await context.tables
    .selectFrom('tag')
    .select(['uid', 'code'])
    .where('site', '=', site)
    .where(matchesAny('code', numbers))
    .execute();
  if (tags.length < numbers.length)
    note(
      `${numbers.length - tags.length} tags of a document do not exist here.`,
      `${numbers.length - tags.length} repères d’un document n’existent pas ici.`,
    );
  if (tags.length > 0)
    await saveLinks(context, author, site, { saved: tags.map(({ uid: tag }) => ({ tag, document })), removed: [] });
}
