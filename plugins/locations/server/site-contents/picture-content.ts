import { createReadStream } from 'node:fs';
import { Type, type Static } from 'typebox';
import {
  assertPicture,
  atLocation,
  findMediaType,
  removeOnFailure,
  type ImportedCounts,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { pictureKinds } from '../../contract/picture-kinds.ts';
import { changePictures, type PictureContext } from '../commands/picture-changes.ts';

const picturesFile = 'pictures.json';
const columnByKind = { icon: 'icon', navigationImage: 'navigation_image' } as const;
const suffixByKind = { icon: 'icon', navigationImage: 'map' } as const;

const Picture = Type.Object({
  location: Type.String(),
  kind: Type.Enum([...pictureKinds]),
  file: Type.String(),
  /** Name of the file in workbooks of locations. Older exports lack it. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
const Pictures = Type.Array(Picture);

/**
 * Exports and imports icons and navigation images of locations. Their hotspots are in the workbook of locations.
 */
export const createPictureContent = (context: PictureContext): SiteContent => ({
  id: 'pictures',
  title: { en: 'Pictures of locations', fr: 'Images des emplacements' },
  frenchCountLabels: { pictures: 'images' },
  folder: 'location-pictures',
  order: 25,
  export: (siteExport) => exportPictures(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const picture of await read(picturesFile, Pictures)) requireFile(picture.file);
  },
  import: (source) => importPictures(context, source),
});

async function exportPictures({ tables, files }: PictureContext, siteExport: SiteExport): Promise<void> {
  const rows = await tables
    .selectFrom('location_picture')
    .select(['location', 'icon', 'navigation_image'])
    .where(atLocation('location', siteExport.locations))
    .orderBy('location')
    .execute();
  const fileById = await files.findAll(
    rows.flatMap(({ icon, navigation_image }) => [icon, navigation_image].filter((id) => id !== null)),
  );
  const pictures: Static<typeof Pictures> = [];
  for (const row of rows)
    for (const kind of pictureKinds) {
      const id = row[columnByKind[kind]];
      if (id === null) continue;
      const file = await siteExport.addStored(`${row.location}-${suffixByKind[kind]}`, id);
      if (file === undefined)
        siteExport.note(
          `A picture of ${row.location} is missing in the file store.`,
          `Une image de ${row.location} manque dans le stockage de fichiers.`,
        );
      else pictures.push({ location: row.location, kind, file, name: fileById.get(id)?.name ?? file });
    }
  if (pictures.length === 0) return;
  await siteExport.add(picturesFile, `${JSON.stringify(pictures, null, 1)}\n`);
  siteExport.count({ pictures: pictures.length });
  siteExport.note(
    'Pictures of locations are in the size that the product shows. Larger originals are not kept.',
    'Les images des emplacements ont la taille que le produit affiche. Les originaux plus grands ne sont pas conservés.',
  );
}

async function importPictures(
  context: PictureContext,
  { author, read, requireFile, note, dryRun }: SiteImport,
): Promise<ImportedCounts> {
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const importedPictures = await read(picturesFile, Pictures);
  const rows = await context.tables
    .selectFrom('location_picture')
    .selectAll()
    .where(atLocation('location', [...new Set(importedPictures.map(({ location }) => location))]))
    .execute();
  const rowsByLocation = new Map(rows.map((row) => [row.location, row]));
  const versions = new Map(rows.map(({ location, version }) => [location, version]));
  const fileById = await context.files.findAll(
    rows.flatMap(({ icon, navigation_image }) => [icon, navigation_image].filter((id) => id !== null)),
  );
  for (const { location, kind, file: exportedFile, name = exportedFile } of importedPictures) {
    const currentFileId = rowsByLocation.get(location)?.[columnByKind[kind]] ?? null;
    const { path, sha256 } = requireFile(exportedFile);
    if (currentFileId !== null && fileById.get(currentFileId)?.sha256 === sha256) {
      counts.unchanged += 1;
      continue;
    }
    const willBeCreated = dryRun && !(await context.locations.find(location));
    if (!willBeCreated && !(await context.locations.canAccess(author.caller, location))) {
      note(
        `A picture of ${location} was left out: there is no such location.`,
        `Une image de ${location} a été laissée de côté : cet emplacement n’existe pas.`,
      );
      continue;
    }
    await assertPicture(path);
    if (dryRun) {
      counts[currentFileId === null ? 'added' : 'changed'] += 1;
      continue;
    }
    const { id } = await context.files.put(
      { name, mediaType: findMediaType(exportedFile), audience: { kind: 'location', location } },
      createReadStream(path),
    );
    const { pictures } = await removeOnFailure(context.files, [id], () =>
      changePictures(
        context,
        author,
        { location, version: versions.get(location) ?? 0 },
        'locations.pictureSaved',
        () => ({ [columnByKind[kind]]: id }),
      ),
    );
    versions.set(location, pictures.version);
    counts[currentFileId === null ? 'added' : 'changed'] += 1;
  }
  return counts;
}
