import { readFile } from 'node:fs/promises';
import type { Selectable, Transaction } from 'kysely';
import type { BodyOf } from '#core';
import {
  versionConflict,
  invalidRequest,
  notFound,
  removeOnFailure,
  type ChangeAuthor,
  type ReceivedFile,
  type ServerContext,
} from '#core/server';
import type { saveItem } from '../../contract/api/items.ts';
import { mediaRefusal } from '../../contract/errors.ts';
import { toItem } from '../queries/items.ts';
import type { MediaTables } from '../tables.ts';
import { isVideo, storeMediaFile } from './store-media-file.ts';

export type ItemContext = Pick<ServerContext<MediaTables>, 'tables' | 'files' | 'changes'>;
type ChangeResult = Promise<{ readonly change: string | null }>;
type Item = Selectable<MediaTables['item']>;

const maxTitleLength = 150;
/** Everybody who is logged in can watch them. */
const audience = { kind: 'signedIn' } as const;

/** The bytes of a text file do not show its type. `changeCaptions` checks the content, and names what is missing. */
export const captionsUpload = {
  accept: ['text/vtt', 'application/octet-stream'],
  maximumBytes: 2 * 1024 * 1024,
} as const;

/** Adds an uploaded image or video, unless this request did so before. */
export async function addItem(
  context: ItemContext,
  author: ChangeAuthor,
  uid: string,
  receivedFile: ReceivedFile,
): ChangeResult {
  const { id } = await storeMediaFile(context.files, receivedFile, audience);
  const title = [...receivedFile.name.replace(/\.[^.]*$/, '')].slice(0, maxTitleLength).join('') || receivedFile.name;
  return removeOnFailure(context.files, [id], async () => {
    const { change } = await context.changes.apply(
      author,
      { action: 'media.itemSaved', subject: uid, name: title, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('item', 'uid', [uid]);
        await tables
          .insertInto('item')
          .values({ uid, title, french_title: null, file: id, video: isVideo(receivedFile), captions: null })
          .onConflict((builder) => builder.column('uid').doNothing())
          .execute();
      },
    );
    // The repeated request stored a second file, which no item uses.
    if (change === null) await context.files.remove(id);
    return { change };
  });
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current item */
export const changeItem = (
  context: ItemContext,
  author: ChangeAuthor,
  uid: string,
  { version, title, frenchTitle, sequence, captions }: BodyOf<typeof saveItem>,
): ChangeResult =>
  applyToItem(context, author, 'media.itemSaved', { uid, version }, async (tables, item) => {
    await tables
      .updateTable('item')
      .set({
        title: title.trim(),
        french_title: frenchTitle?.trim() || null,
        sequence,
        captions: captions ? item.captions : null,
      })
      .where('uid', '=', uid)
      .execute();
  });

/**
 * Saves the captions of a video.
 *
 * @throws `invalidRequest` (400) for an image, or a file that is not WebVTT in UTF-8; errors of `changeItem`
 */
export async function changeCaptions(
  context: ItemContext,
  author: ChangeAuthor,
  target: ItemTarget,
  receivedFile: ReceivedFile,
): ChangeResult {
  const content = await readCaptions(receivedFile.path);
  const { id } = await context.files.put({ name: receivedFile.name, mediaType: 'text/vtt', audience }, content);
  return removeOnFailure(context.files, [id], () =>
    applyToItem(context, author, 'media.itemSaved', target, async (tables, { title, video }) => {
      if (!video) throw invalidRequest(mediaRefusal('media.refused.noVideo', { name: title }));
      await tables.updateTable('item').set({ captions: id }).where('uid', '=', target.uid).execute();
    }),
  );
}

/** @throws the errors of `changeItem` */
export const removeItem = (context: ItemContext, author: ChangeAuthor, target: ItemTarget): ChangeResult =>
  applyToItem(context, author, 'media.itemDeleted', target, async (tables) => {
    await tables.deleteFrom('item').where('uid', '=', target.uid).execute();
  });

export interface ItemTarget {
  readonly uid: string;
  readonly version: number;
}

async function applyToItem(
  { tables: database, files, changes }: ItemContext,
  author: ChangeAuthor,
  action: string,
  { uid, version }: ItemTarget,
  write: (tables: Transaction<MediaTables>, item: Item) => Promise<void>,
): ChangeResult {
  const existingItem = await database.selectFrom('item').select('title').where('uid', '=', uid).executeTakeFirst();
  if (!existingItem) throw notFound('This item');
  return changes.apply(
    author,
    { action, subject: uid, name: existingItem.title, location: '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('item', 'uid', [uid]);
      const item = await tables.selectFrom('item').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!item) throw notFound('This item');
      if (item.row_version !== version)
        throw versionConflict(mediaRefusal('media.refused.itemChanged', { name: item.title }), toItem(item, files));
      await write(tables, item);
    },
  );
}

/** @throws `invalidRequest` (400) if the file is not WebVTT in UTF-8 */
export async function readCaptions(file: string): Promise<Buffer> {
  const content = await readFile(file);
  if (!isWebVtt(content)) throw invalidRequest(mediaRefusal('media.refused.noCaptions'));
  return content;
}

/** https://www.w3.org/TR/webvtt1/#file-structure: UTF-8 with a first line that begins with `WEBVTT`. */
function isWebVtt(content: Uint8Array): boolean {
  try {
    return /^WEBVTT(?:[ \t\r\n]|$)/.test(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return false;
  }
}
