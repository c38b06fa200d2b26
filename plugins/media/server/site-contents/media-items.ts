import { isDeepStrictEqual } from 'node:util';
import { Type, type Static } from 'typebox';
import { nullable } from '#core/api';
import {
  invalidRequest,
  matchesAny,
  removeOnFailure,
  type ImportedCounts,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { ItemUid } from '../../contract/api/items.ts';
import { mediaRefusal } from '../../contract/errors.ts';
import {
  assertCaptions,
  assertMedia,
  MediaFile,
  storeSafeFile,
  withSafeMedia,
  type MediaContext,
  type SafeFile,
} from './media-files.ts';

const itemsFile = 'items.json';
const Items = Type.Array(
  Type.Object({
    uid: ItemUid,
    title: Type.String({ minLength: 1, maxLength: 150 }),
    frenchTitle: nullable(Type.String({ maxLength: 150 })),
    sequence: Type.Integer(),
    media: MediaFile,
    /** WebVTT. */
    captions: nullable(Type.String()),
  }),
);
type ExportedItem = Static<typeof Items>[number];

/** Everybody who is logged in can watch them. */
const audience = { kind: 'signedIn' } as const;

export async function exportItems({ tables, files }: MediaContext, siteExport: SiteExport): Promise<void> {
  const rows = await tables.selectFrom('item').selectAll().orderBy('sequence').orderBy('uid').execute();
  const fileById = await files.findAll(rows.map(({ file }) => file));
  const items: ExportedItem[] = [];
  for (const { uid, title, french_title: frenchTitle, sequence, file: id, video, captions: captionsId } of rows) {
    const file = await siteExport.addStored(`items/${uid}`, id);
    if (file === undefined) {
      siteExport.note(
        `The file of ${title} is missing in the file store.`,
        `Le fichier de ${title} manque dans le stockage de fichiers.`,
      );
      continue;
    }
    const captions = captionsId === null ? undefined : await siteExport.addStored(`items/${uid}-captions`, captionsId);
    const media = { file, name: fileById.get(id)?.name ?? file, video };
    items.push({ uid, title, frenchTitle, sequence, media, captions: captions ?? null });
  }
  if (items.length === 0) return;
  await siteExport.add(itemsFile, `${JSON.stringify(items, null, 1)}\n`);
  siteExport.count({ 'images and videos': items.length });
}

/** @throws `invalidRequest` (400) or `tooLarge` (413) if an upload would refuse a file */
export async function checkItems({ files, read, requireFile }: SiteImport): Promise<void> {
  if (!files.some(({ name }) => name === itemsFile)) return;
  for (const { title, media, captions } of await read(itemsFile, Items)) {
    await assertMedia(requireFile(media.file), media);
    if (captions === null) continue;
    if (!media.video) throw invalidRequest(mediaRefusal('media.refused.noVideo', { name: title }));
    await assertCaptions(requireFile(captions));
  }
}

/** Imports nothing if the person cannot access all locations, because items belong to the whole product. */
export async function importItems(context: MediaContext, siteImport: SiteImport): Promise<ImportedCounts> {
  const { tables, files } = context;
  const { author, dryRun, note } = siteImport;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  if (!siteImport.files.some(({ name }) => name === itemsFile)) return counts;
  const importedItems = await siteImport.read(itemsFile, Items);
  if (author.caller.access.locations !== 'ALL') {
    note(
      `${importedItems.length} images and videos were left out: they belong to everybody, and the person cannot access all locations.`,
      `${importedItems.length} images et vidéos ont été laissées de côté : elles appartiennent à tous, et la personne n’a pas accès à tous les emplacements.`,
    );
    return counts;
  }
  const rows = await tables
    .selectFrom('item')
    .selectAll()
    .where(
      matchesAny(
        'uid',
        importedItems.map(({ uid }) => uid),
      ),
    )
    .execute();
  const rowByUid = new Map(rows.map((row) => [row.uid, row]));
  const fileById = await files.findAll(rows.flatMap(({ file, captions }) => [file, ...(captions ? [captions] : [])]));
  const findHash = (id: string | null | undefined): string | null => (id ? (fileById.get(id)?.sha256 ?? null) : null);
  for (const item of importedItems) {
    const formerItem = rowByUid.get(item.uid);
    const captionsHash = item.captions === null ? null : siteImport.requireFile(item.captions).sha256;
    const isSame = (sha256: string): boolean =>
      formerItem !== undefined &&
      findHash(formerItem.file) === sha256 &&
      findHash(formerItem.captions) === captionsHash &&
      isDeepStrictEqual(toColumns(item), {
        title: formerItem.title,
        french_title: formerItem.french_title,
        sequence: formerItem.sequence,
        video: formerItem.video,
      });
    const file = siteImport.requireFile(item.media.file);
    if (isSame(file.sha256)) {
      counts.unchanged += 1;
      continue;
    }
    await withSafeMedia(file, item.media, async (safeFile) => {
      const isUnchanged = isSame(safeFile.sha256);
      counts[isUnchanged ? 'unchanged' : formerItem ? 'changed' : 'added'] += 1;
      if (!isUnchanged && !dryRun) await writeItem(context, siteImport, item, safeFile);
    });
    if (!dryRun) await siteImport.advance(item.captions === null ? 1 : 2);
  }
  return counts;
}

const toColumns = ({ title, frenchTitle, sequence, media }: ExportedItem) => ({
  title,
  french_title: frenchTitle,
  sequence,
  video: media.video,
});

async function writeItem(
  context: MediaContext,
  { author, requireFile }: SiteImport,
  item: ExportedItem,
  safeFile: SafeFile,
): Promise<void> {
  const { files, changes } = context;
  const { uid, title, captions, media } = item;
  const ids = [await storeSafeFile(context, safeFile, media.name, audience)];
  await removeOnFailure(files, ids, async () => {
    const captionsFile = captions === null ? undefined : { path: requireFile(captions).path, mediaType: 'text/vtt' };
    if (captionsFile) ids.push(await storeSafeFile(context, captionsFile, `${title}.vtt`, audience));
    const row = { ...toColumns(item), file: ids[0]!, captions: ids[1] ?? null };
    await changes.apply(
      author,
      { action: 'media.itemSaved', subject: uid, name: title, location: '' },
      async ({ tables: transaction, lockAndRecord }) => {
        await lockAndRecord('item', 'uid', [uid]);
        await transaction
          .insertInto('item')
          .values({ uid, ...row })
          .onConflict((builder) => builder.column('uid').doUpdateSet(row))
          .execute();
      },
    );
  });
}
