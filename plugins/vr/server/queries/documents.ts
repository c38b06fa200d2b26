import { sql } from 'kysely';
import { coreRefusal } from '#core/api';
import {
  assertPicture,
  invalidRequest,
  pictureTypes,
  removeOnFailure,
  type FileStore,
  type NewFile,
  type ReceivedUpload,
} from '#core/server';
import type { MarkerFile } from '#plugins/vr';
import type { MarkerContext } from './marker-context.ts';

export const documentRules = {
  accept: ['application/pdf', ...pictureTypes],
  maximumBytes: 20 * 1024 * 1024,
} as const;

const documentLifetime = '1 day';

/**
 * Stores an uploaded document of a location. A marker that is saved with its id owns the document. Documents without a
 * marker are deleted after a day.
 *
 * @throws 400 if a picture has too many pixels or is damaged
 */
export async function receiveDocument(
  context: MarkerContext,
  location: string,
  { files: [file] }: ReceivedUpload,
): Promise<MarkerFile> {
  if (!file) throw invalidRequest(coreRefusal('core.refused.noFile'));
  if (pictureTypes.includes(file.mediaType)) await assertPicture(file.path);
  const { id, name, bytes } = await saveDocument(context, location, file, file.stream());
  await removeUnusedDocuments(context);
  return { id, name, bytes, address: context.files.url(id) };
}

export async function saveDocument(
  context: MarkerContext,
  location: string,
  { name, mediaType }: Pick<NewFile, 'name' | 'mediaType'>,
  content: Parameters<FileStore['put']>[1],
): ReturnType<FileStore['put']> {
  const file = await context.files.put({ name, mediaType, audience: { kind: 'location', location } }, content);
  await removeOnFailure(context.files, [file.id], () =>
    context.tables.insertInto('document').values({ file: file.id, location }).execute(),
  );
  return file;
}

async function removeUnusedDocuments(context: MarkerContext): Promise<void> {
  const usedFiles = context.tables.selectFrom('marker').select('file').where('file', 'is not', null);
  const unusedDocuments = await context.tables
    .selectFrom('document')
    .select('file')
    .where('uploaded_at', '<', sql<Date>`now() - ${documentLifetime}::interval`)
    .where('file', 'not in', usedFiles)
    .execute();
  for (const { file } of unusedDocuments) await removeDocument(context, file);
}

/** Whether a file was uploaded as a document of the location and belongs to no marker except `uid`. */
export async function isAvailableDocument(
  context: MarkerContext,
  file: string,
  location: string,
  uid: string,
): Promise<boolean> {
  const { tables } = context;
  const document = await tables
    .selectFrom('document')
    .select('file')
    .where('file', '=', file)
    .where('location', '=', location)
    .executeTakeFirst();
  if (document === undefined) return false;
  const otherMarker = await tables
    .selectFrom('marker')
    .select('uid')
    .where('file', '=', file)
    .where('uid', '<>', uid)
    .executeTakeFirst();
  return otherMarker === undefined;
}

export async function removeDocument(context: MarkerContext, file: string): Promise<void> {
  await context.files.remove(file);
  await context.tables.deleteFrom('document').where('file', '=', file).execute();
}
