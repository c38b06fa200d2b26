import { open } from 'node:fs/promises';
import { sql } from 'kysely';
import type { BodyOf, QueryOf } from '#core';
import {
  assertPicture,
  conflict,
  invalidRequest,
  matchesAny,
  isUniqueViolation,
  notFound,
  removeOnFailure,
  type CallAuthor,
  type ReceivedUpload,
} from '#core/server';
import type {
  addRevision,
  updateDocument,
  updateRevision,
  createDocument,
  saveDocumentLinks,
} from '../../contract/api/document-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { deleteCodes, renameCode, reserveCodes } from '../queries/codes.ts';
import { assertLocation, assertVersion, createOnce, findTagOrDocument, getSite } from './content-context.ts';
import type { ContentContext } from './content-context.ts';
import { readDocument, readRevision } from './read-documents.ts';

type Changed = Promise<{ readonly change: string | null }>;

export interface DocumentTarget {
  readonly location: string;
  readonly document: string;
}
export interface RevisionTarget extends DocumentTarget {
  readonly revision: string;
}

/** Fields of the upload form. */
export const revisionUpload = {
  accept: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'],
  maximumBytes: 200 * 1024 * 1024,
};

/** @throws `conflict` (409) if the code is taken */
export async function addDocument(
  context: ContentContext,
  author: CallAuthor,
  location: string,
  { uid, code, title, location: documentLocation }: BodyOf<typeof createDocument>,
): Changed {
  const site = await getSite(context, location);
  const row = { uid, code, title, location: documentLocation };
  await assertLocation(context, author, site, documentLocation);
  return createOnce(context, author, { table: 'document', rows: [row] }, () =>
    context.changes.apply(
      author,
      { action: 'tour.documentCreated', subject: uid, name: code, location: documentLocation },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('code', 'entity', [uid]);
        await lockAndRecord('document', 'uid', [uid]);
        await reserveCodes(tables, site, 'DOCUMENT', [{ code, entity: uid }]);
        await tables
          .insertInto('document')
          .values({ ...row, site })
          .execute();
      },
    ),
  );
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current document; `conflict` (409) for a taken code */
export async function saveDocument(
  context: ContentContext,
  author: CallAuthor,
  { location, document: uid }: DocumentTarget,
  { version, ...row }: BodyOf<typeof updateDocument>,
): Changed {
  const document = await findTagOrDocument(context, 'document', location, uid);
  if (row.location !== document.location) await assertLocation(context, author, document.site, row.location);
  return context.changes.apply(
    author,
    { action: 'tour.documentChanged', subject: uid, name: row.code, location: row.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('code', 'entity', [uid]);
      await lockAndRecord('document', 'uid', [uid]);
      const currentDocument = await readDocument(tables, uid);
      assertVersion(currentDocument, version);
      if (currentDocument.code !== row.code)
        await renameCode(tables, { site: document.site, kind: 'DOCUMENT', code: row.code, entity: uid });
      await tables.updateTable('document').set(row).where('uid', '=', uid).execute();
    },
  );
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current document */
export async function removeDocument(
  context: ContentContext,
  author: CallAuthor,
  { location, document: uid }: DocumentTarget,
  version: number,
): Changed {
  const document = await findTagOrDocument(context, 'document', location, uid);
  return context.changes.apply(
    author,
    { action: 'tour.documentDeleted', subject: uid, name: document.code, location: document.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('code', 'entity', [uid]);
      await lockAndRecord('document', 'uid', [uid]);
      await lockAndRecord('document_revision', 'document', [uid]);
      await lockAndRecord('document_link', 'document', [uid]);
      assertVersion(await readDocument(tables, uid), version);
      await tables.deleteFrom('document').where('uid', '=', uid).execute();
      await deleteCodes(tables, 'DOCUMENT', [uid]);
    },
  );
}

/**
 * Stores the file of a revision.
 *
 * @throws `invalidRequest` (400) for a file that cannot be read; `conflict` (409) if the document has the revision
 */
export async function saveRevision(
  context: ContentContext,
  author: CallAuthor,
  { location, document: uid }: DocumentTarget,
  { revision, status, issuedOn }: QueryOf<typeof addRevision>,
  { files: [receivedFile] }: ReceivedUpload,
): Changed {
  const document = await findTagOrDocument(context, 'document', location, uid);
  const { name, mediaType, path } = receivedFile!;
  await (mediaType === 'application/pdf' ? assertCompletePdf(path) : assertPicture(path));
  const { id } = await context.files.put(
    { name, mediaType, audience: { kind: 'location', location: document.location } },
    receivedFile!.stream(),
  );
  return removeOnFailure(context.files, [id], async () => {
    try {
      return await context.changes.apply(
        author,
        { action: 'tour.revisionAdded', subject: uid, name: document.code, location: document.location },
        async ({ tables, lockAndRecord }) => {
          await lockAndRecord('document_revision', 'document', [uid]);
          await readDocument(tables, uid);
          await tables
            .insertInto('document_revision')
            .values({ document: uid, revision, status, issued_on: issuedOn, file: id })
            .execute();
        },
      );
    } catch (cause) {
      if (isUniqueViolation(cause)) throw conflict(tourRefusal('tour.refused.revisionTaken', { revision }));
      throw cause;
    }
  });
}

/** Readers search the end-of-file marker of a PDF in its last bytes (PDF 1.7, Annex H, note 18). */
const pdfEndBytes = 1024;

/** @throws `invalidRequest` (400) for a truncated file */
async function assertCompletePdf(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(pdfEndBytes), 0, pdfEndBytes, Math.max(0, size - pdfEndBytes));
    if (!buffer.includes('%%EOF')) throw invalidRequest(tourRefusal('tour.refused.pdfCutOff'));
  } finally {
    await file.close();
  }
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current revision */
export const saveRevisionData = (
  context: ContentContext,
  author: CallAuthor,
  target: RevisionTarget,
  { version, status, issuedOn }: BodyOf<typeof updateRevision>,
): Changed =>
  applyRevisionChange(context, author, target, version, 'tour.revisionChanged', async (tables) => {
    await tables
      .updateTable('document_revision')
      .set({ status, issued_on: issuedOn })
      .where('document', '=', target.document)
      .where('revision', '=', target.revision)
      .execute();
  });

/**
 * Deletes a revision and keeps its file for an undo. Throws `notFound` (404); `changedMeanwhile` (409) with the current
 * revision.
 */
export const removeRevision = (
  context: ContentContext,
  author: CallAuthor,
  target: RevisionTarget,
  version: number,
): Changed =>
  applyRevisionChange(context, author, target, version, 'tour.revisionDeleted', async (tables) => {
    await tables
      .deleteFrom('document_revision')
      .where('document', '=', target.document)
      .where('revision', '=', target.revision)
      .execute();
  });

async function applyRevisionChange(
  context: ContentContext,
  author: CallAuthor,
  { location, document: uid, revision }: RevisionTarget,
  version: number,
  action: string,
  applyChange: (tables: ContentContext['tables']) => Promise<void>,
): Changed {
  const document = await findTagOrDocument(context, 'document', location, uid);
  return context.changes.apply(
    author,
    { action, subject: uid, name: document.code, location: document.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('document_revision', 'document', [uid]);
      assertVersion(await readRevision(tables, uid, revision), version);
      await applyChange(tables);
    },
  );
}

/** @throws `invalidRequest` (400) for a document or tag that does not exist at accessible locations of the site */
export async function saveLinks(
  context: ContentContext,
  author: CallAuthor,
  location: string,
  { saved, removed }: BodyOf<typeof saveDocumentLinks>,
): Changed {
  const site = await getSite(context, location);
  const accessibleLocations = new Set(await context.locations.accessible(author.caller));
  const links = [...saved, ...removed];
  const [tags, documents] = [
    [...new Set(links.map(({ tag }) => tag))],
    [...new Set(links.map(({ document }) => document))],
  ];
  if (links.length === 0) return { change: null };
  const firstDocument = await context.tables
    .selectFrom('document')
    .select(['code', 'location'])
    .where('uid', '=', links[0]!.document)
    .executeTakeFirst();
  if (!firstDocument) throw notFound('This document');
  return context.changes.apply(
    author,
    { action: 'tour.documentsLinked', subject: links[0]!.document, name: firstDocument.code, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('document_link', 'tag', tags);
      for (const [table, uids] of [
        ['tag', tags],
        ['document', documents],
      ] as const) {
        const rows = await tables
          .selectFrom(table)
          .select('location')
          .where(matchesAny('uid', uids))
          .where('site', '=', site)
          .execute();
        if (rows.length < uids.length || rows.some((row) => !accessibleLocations.has(row.location)))
          throw invalidRequest(tourRefusal('tour.refused.noSuchLink'));
      }
      await sql`
        delete from tour.document_link using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb)
          as input (tag text, document text)
        where document_link.tag = input.tag and document_link.document = input.document`.execute(tables);
      if (saved.length > 0)
        await tables
          .insertInto('document_link')
          .values(saved)
          .onConflict((conflicting) => conflicting.doNothing())
          .execute();
    },
  );
}
