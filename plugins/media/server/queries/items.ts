import { sql, type Kysely, type Selectable } from 'kysely';
import type { Page } from '#core/api';
import type { FileStore } from '#core/server';
import type { MediaItem } from '#plugins/media';
import type { MediaTables } from '../tables.ts';

const defaultLimit = 50;

export const toItem = (row: Selectable<MediaTables['item']>, files: Pick<FileStore, 'url'>): MediaItem => ({
  uid: row.uid,
  title: row.title,
  frenchTitle: row.french_title,
  address: files.url(row.file),
  video: row.video,
  captions: row.captions === null ? null : files.url(row.captions),
  sequence: row.sequence,
  version: row.row_version,
});

/** Loads the images and videos in the order that admins chose. */
export async function loadItems(
  { tables, files }: { readonly tables: Kysely<MediaTables>; readonly files: Pick<FileStore, 'url'> },
  { offset = 0, limit = defaultLimit }: { readonly offset?: number; readonly limit?: number },
): Promise<Page<MediaItem>> {
  const { total } = await tables
    .selectFrom('item')
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await tables
    .selectFrom('item')
    .selectAll()
    .orderBy('sequence')
    .orderBy('title')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total, offset, rows: rows.map((row) => toItem(row, files)) };
}
