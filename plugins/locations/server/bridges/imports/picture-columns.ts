import { sql } from 'kysely';
import type { FileStore } from '#core/server';
import type { ApplyContext, ImportColumn, ImportKind } from '#plugins/imports';
import { pictureKinds, pictureSizes, type PictureKind } from '../../../contract/picture-kinds.ts';
import { storePicture } from '../../commands/save-picture.ts';
import type { ImportedTables } from './imported-tables.ts';
import { locationsSheetId } from './tree-after-import.ts';

const headers = {
  icon: { en: 'Icon File', fr: 'Fichier de l’icône' },
  navigationImage: { en: 'Navigation Image', fr: 'Image de navigation' },
} as const;

const createColumn = (id: PictureKind): ImportColumn => {
  const picture = pictureSizes[id];
  const size = `${picture.width}x${picture.height} px`;
  return {
    id,
    header: headers[id],
    type: 'TEXT',
    maxLength: 255,
    picture,
    note: {
      en: `Name of a JPEG, PNG or WebP file of ${size}, uploaded beside the workbook. The name of the current file keeps the picture, an empty cell removes it.`,
      fr: `Nom d’un fichier JPEG, PNG ou WebP de ${size}, envoyé avec le classeur. Le nom du fichier actuel le garde, une cellule vide le retire.`,
    },
  };
};

/** The files of a location's pictures. */
export const pictureColumns: readonly ImportColumn[] = pictureKinds.map(createColumn);

/** Creates the function that stores the uploaded pictures of rows. */
export const createPictureStorage =
  (files: Pick<FileStore, 'put'>): NonNullable<ImportKind<ImportedTables>['storePicture']> =>
  ({ column, values, name, path }) =>
    storePicture(files, { location: String(values['code']), kind: column as PictureKind }, { name, path });

interface StagedPictures {
  readonly id: string;
  readonly location: string;
  readonly kinds: readonly PictureKind[];
}

/** Writes pictures after their locations. Keeps the files of replaced pictures, which undo restores. */
export async function writePictures({
  rows,
  recordedTransaction,
  pictures,
}: ApplyContext<ImportedTables>): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  const { rows: stagedPictures } = await sql<StagedPictures>`
    select id::text as id, location.uid as location, kinds
    from (${rows(locationsSheetId)}) as row
    join core.location as location on lower(location.uid) = row.key
    cross join lateral (
      select array_agg(kind) as kinds from unnest(${[...pictureKinds]}::text[]) as kind
      where values ? kind and values ->> kind is distinct from before ->> kind
    ) as changed
    where state in ('ADDED', 'CHANGED') and kinds is not null`.execute(tables);
  if (stagedPictures.length === 0) return;
  const locations = stagedPictures.map(({ location }) => location);
  // Insert missing rows first: an undo then resets them instead of deleting them, so their versions keep increasing.
  await sql`
    insert into locations.location_picture (location, version)
    select location, 0 from unnest(${locations}::text[]) as location on conflict (location) do nothing`.execute(tables);
  await lockAndRecord('location_picture', 'location', locations);
  const changes = stagedPictures.map(({ id, location, kinds }) => ({
    location,
    ...Object.fromEntries(kinds.map((kind) => [kind, pictures.get(id)?.[kind] ?? null])),
  }));
  await sql`
    update locations.location_picture as picture set
      icon = case when change ? 'icon' then change ->> 'icon' else icon end,
      navigation_image = case when change ? 'navigationImage' then change ->> 'navigationImage' else navigation_image end
    from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) as change
    where picture.location = change ->> 'location'`.execute(tables);
}
