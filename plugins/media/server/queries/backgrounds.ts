import type { Kysely } from 'kysely';
import type { FileStore } from '#core/server';
import { backgroundKinds, type BackgroundKind, type Backgrounds, type LocationBackgrounds } from '#plugins/media';
import type { MediaTables, StoredImage } from '../tables.ts';

/** A screen that has backgrounds. */
export type BackgroundSubject =
  | { readonly kind: 'LOGIN' }
  | { readonly kind: BackgroundKind; readonly location: string };

export const toSubjectKey = (subject: BackgroundSubject): string =>
  subject.kind === 'LOGIN' ? 'LOGIN' : `${subject.kind} ${subject.location}`;

type Row = { readonly images: readonly StoredImage[]; readonly version: number };
const noBackgrounds: Row = { images: [], version: 0 };

export const toBackgrounds = (
  { images, version }: Row = noBackgrounds,
  files: Pick<FileStore, 'url'>,
): Backgrounds => ({ images: images.map((image) => ({ ...image, address: files.url(image.file) })), version });

interface BackgroundSource {
  readonly tables: Kysely<MediaTables>;
  readonly files: Pick<FileStore, 'url'>;
}

export async function loadBackgrounds(
  { tables, files }: BackgroundSource,
  subject: BackgroundSubject,
): Promise<Backgrounds> {
  const row = await tables
    .selectFrom('background')
    .select(['images', 'version'])
    .where('subject', '=', toSubjectKey(subject))
    .executeTakeFirst();
  return toBackgrounds(row, files);
}

export async function loadLocationBackgrounds(
  { tables, files }: BackgroundSource,
  location: string,
): Promise<LocationBackgrounds> {
  const rows = await tables
    .selectFrom('background')
    .select(['subject', 'images', 'version'])
    .where(
      'subject',
      'in',
      backgroundKinds.map((kind) => toSubjectKey({ kind, location })),
    )
    .execute();
  const findBackgrounds = (kind: BackgroundKind): Backgrounds =>
    toBackgrounds(
      rows.find(({ subject }) => subject === toSubjectKey({ kind, location })),
      files,
    );
  return { LOCATION: findBackgrounds('LOCATION'), TOUR: findBackgrounds('TOUR') };
}
