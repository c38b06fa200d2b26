import { sql } from 'kysely';
import { atLocation, notFound, type Caller } from '#core/server';
import type { DocumentDetails, DocumentRevision, TagDocument } from '../../contract/api.ts';
import { findByCodes, listFormerCodes } from './codes.ts';
import type { TourContext } from './tour-at.ts';

/** Lists documents of a tag or line at accessible locations, by code, with their latest revisions. */
export async function listTagDocuments(
  context: TourContext,
  tag: string,
  accessibleLocations: readonly string[],
): Promise<TagDocument[]> {
  const documents = await context.tables
    .selectFrom('document_link')
    .innerJoin('document', 'document.uid', 'document_link.document')
    .select(['document.uid', 'document.code', 'document.title'])
    .where('document_link.tag', '=', tag)
    .where(atLocation('document.location', accessibleLocations))
    .orderBy('document.code')
    .execute();
  const revisions = await listRevisions(
    context,
    documents.map(({ uid }) => uid),
  );
  return documents.flatMap(({ uid, code, title }) => {
    const allRevisions = revisions.get(uid) ?? [];
    const [latest] = allRevisions;
    return latest ? [{ uid, code, title, latest, revisions: allRevisions.length }] : [];
  });
}

/** Gets a document of the site by its current or a former code. Throws 404 if it does not exist or is not accessible. */
export async function getDocumentDetails(
  context: TourContext,
  caller: Caller,
  location: string,
  code: string,
): Promise<DocumentDetails> {
  const uid = (await findByCodes(context, 'DOCUMENT', location, [code])).get(code);
  const document =
    uid === undefined
      ? undefined
      : await context.tables.selectFrom('document').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!document || !(await context.locations.canAccess(caller, document.location))) throw notFound('This document');
  const accessibleLocations = await context.locations.accessible(caller);
  const [formerCodes, revisions, tags] = await Promise.all([
    listFormerCodes(context.tables, [document.uid]),
    listRevisions(context, [document.uid]),
    context.tables
      .selectFrom('document_link')
      .innerJoin('tag', 'tag.uid', 'document_link.tag')
      .select('tag.code')
      .where('document_link.document', '=', document.uid)
      .where(atLocation('tag.location', accessibleLocations))
      .orderBy('tag.code')
      .execute(),
  ]);
  return {
    uid: document.uid,
    code: document.code,
    formerCodes: [...(formerCodes.get(document.uid) ?? [])],
    title: document.title,
    revisions: [...(revisions.get(document.uid) ?? [])],
    tags: tags.map((tag) => tag.code),
  };
}

/** Lists revisions by document, latest first. */
async function listRevisions(
  { tables, files }: Pick<TourContext, 'tables' | 'files'>,
  documents: readonly string[],
): Promise<ReadonlyMap<string, readonly DocumentRevision[]>> {
  if (documents.length === 0) return new Map();
  const rows = await tables
    .selectFrom('document_revision')
    .selectAll()
    .where(sql<boolean>`document = any(${[...documents]}::text[])`)
    .orderBy('issued_on', 'desc')
    .orderBy('revision', 'desc')
    .execute();
  const storedFiles = await files.findAll(rows.map(({ file }) => file));
  const revisions = new Map<string, DocumentRevision[]>();
  for (const { document, revision, status, issued_on, file } of rows) {
    const storedFile = storedFiles.get(file);
    if (!storedFile) throw new Error(`The file ${file} of document ${document}, revision ${revision}, is missing.`);
    const { mediaType, bytes, sha256 } = storedFile;
    const url = files.url(file);
    revisions.set(document, [
      ...(revisions.get(document) ?? []),
      { revision, status, issuedOn: issued_on, address: url, mediaType, bytes, sha256 },
    ]);
  }
  return revisions;
}
