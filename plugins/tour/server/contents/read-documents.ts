import { sql, type Kysely, type Transaction } from 'kysely';
import type { QueryOf } from '#core';
import { atLocation, matchesAny, notFound, type Caller } from '#core/server';
import {
  maxDocumentRows,
  type ContentDocument,
  type ContentDocumentDetails,
  type ContentRevision,
  type listContentDocuments,
} from '../../contract/api/document-content.ts';
import { listFormerCodes } from '../queries/codes.ts';
import { toSearchPatterns } from '../queries/search-key.ts';
import type { TourTables } from '../tables.ts';
import { findTagOrDocument, type ContentContext } from './content-context.ts';

type Tables = Kysely<TourTables> | Transaction<TourTables>;
type DocumentRow = Omit<ContentDocument, 'revisions'>;

const selectDocuments = (tables: Tables) =>
  tables
    .selectFrom('document')
    .select(['document.uid', 'document.code', 'document.title', 'document.location', 'document.row_version as version'])
    .select(
      sql<number>`(select count(*) from tour.document_link where document_link.document = document.uid)::int`.as(
        'tags',
      ),
    );

/** Reads a document, with a name for `assertVersion`. Throws `notFound` (404). */
export async function readDocument(tables: Tables, uid: string): Promise<DocumentRow & { readonly name: string }> {
  const row = await selectDocuments(tables).where('document.uid', '=', uid).executeTakeFirst();
  if (!row) throw notFound('This document');
  return { ...row, name: row.code };
}

/** Reads a revision, with a name for `assertVersion`. Throws `notFound` (404). */
export async function readRevision(tables: Tables, document: string, revision: string) {
  const row = await tables
    .selectFrom('document_revision')
    .select(['revision', 'status', 'issued_on as issuedOn', 'row_version as version'])
    .where('document', '=', document)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (!row) throw notFound('This revision');
  return { ...row, name: row.revision };
}

/** Lists documents at a location and its descendants. The number of queries is constant. */
export async function listDocuments(
  context: ContentContext,
  caller: Caller,
  location: string,
  { text = '', sort = 'code', descending, offset = 0, limit = maxDocumentRows }: QueryOf<typeof listContentDocuments>,
): Promise<{ readonly total: number; readonly offset: number; readonly rows: ContentDocument[] }> {
  const locationUids = await context.locations.accessibleDescendants(caller, location);
  const { description: pattern } = toSearchPatterns(text);
  const isSelected = sql<boolean>`${atLocation('document.location', locationUids)}
    and (document.code ilike ${pattern} or document.title ilike ${pattern})`;
  const direction = descending === 'true' ? 'desc' : 'asc';
  const [{ total }, rows] = await Promise.all([
    context.tables
      .selectFrom('document')
      .select(sql<number>`count(*)::int`.as('total'))
      .where(isSelected)
      .executeTakeFirstOrThrow(),
    selectDocuments(context.tables)
      .where(isSelected)
      .orderBy(sql.ref(`document.${sort}`), direction)
      .orderBy('document.uid')
      .offset(offset)
      .limit(limit)
      .execute(),
  ]);
  const revisions = await listContentRevisions(
    context,
    rows.map(({ uid }) => uid),
  );
  return { total, offset, rows: rows.map((row) => ({ ...row, revisions: [...(revisions.get(row.uid) ?? [])] })) };
}

/** @throws `notFound` (404) */
export async function readDocumentDetails(
  context: ContentContext,
  caller: Caller,
  { location, document: uid }: { readonly location: string; readonly document: string },
): Promise<ContentDocumentDetails> {
  const { tables } = context;
  await findTagOrDocument(context, 'document', location, uid);
  const accessibleLocations = await context.locations.accessible(caller);
  const [{ name: _, ...document }, revisions, formerCodes, linkedTags] = await Promise.all([
    readDocument(tables, uid),
    listContentRevisions(context, [uid]),
    listFormerCodes(tables, [uid]),
    tables
      .selectFrom('document_link')
      .innerJoin('tag', 'tag.uid', 'document_link.tag')
      .select(['tag.uid', 'tag.code as number', 'tag.description'])
      .where('document_link.document', '=', uid)
      .where(atLocation('tag.location', accessibleLocations))
      .orderBy('tag.code')
      .execute(),
  ]);
  return {
    ...document,
    revisions: [...(revisions.get(uid) ?? [])],
    formerCodes: [...(formerCodes.get(uid) ?? [])],
    linkedTags,
  };
}

/** Lists revisions by document, newest first. */
async function listContentRevisions(
  { tables, files }: Pick<ContentContext, 'tables' | 'files'>,
  documents: readonly string[],
): Promise<ReadonlyMap<string, readonly ContentRevision[]>> {
  if (documents.length === 0) return new Map();
  const rows = await tables
    .selectFrom('document_revision')
    .selectAll()
    .where(matchesAny('document', documents))
    .orderBy('issued_on', 'desc')
    .orderBy('revision', 'desc')
    .execute();
  const storedFiles = await files.findAll(rows.map(({ file }) => file));
  const revisions = new Map<string, ContentRevision[]>();
  for (const { document, revision, status, issued_on, file, row_version: version } of rows) {
    const { name = '', mediaType = '', bytes = 0 } = storedFiles.get(file) ?? {};
    const url = files.url(file);
    revisions.set(document, [
      ...(revisions.get(document) ?? []),
      { revision, status, issuedOn: issued_on, address: url, fileName: name, mediaType, bytes, version },
    ]);
  }
  return revisions;
}
