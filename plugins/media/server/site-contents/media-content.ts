import { Type, type Static } from 'typebox';
import {
  atLocation,
  removeOnFailure,
  type ImportedCounts,
  type ImportedFile,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { backgroundKinds, maxBackgrounds } from '#plugins/media';
import { changeBackgrounds } from '../commands/change-backgrounds.ts';
import { toSubjectKey, type BackgroundSubject } from '../queries/backgrounds.ts';
import type { StoredImage } from '../tables.ts';
import { assertMedia, MediaFile, storeSafeFile, withSafeMedia, type MediaContext } from './media-files.ts';
import { checkItems, exportItems, importItems } from './media-items.ts';

const backgroundsFile = 'backgrounds.json';
const Backgrounds = Type.Array(
  Type.Object({
    screen: Type.Enum([...backgroundKinds]),
    location: Type.String({ minLength: 1 }),
    /** In their order. */
    images: Type.Array(MediaFile, { minItems: 1, maxItems: maxBackgrounds }),
  }),
);
type ExportedBackgrounds = Static<typeof Backgrounds>;

/** Exports and imports images and videos of the product, and the backgrounds of the site and its tours. */
export const createMediaContent = (context: MediaContext): SiteContent => ({
  id: 'media',
  title: { en: 'Media and backgrounds', fr: 'Médias et arrière-plans' },
  frenchCountLabels: { backgrounds: 'arrière-plans', 'images and videos': 'images et vidéos' },
  folder: 'media',
  order: 95,
  access: 'configure',
  export: async (siteExport) => {
    await exportBackgrounds(context, siteExport);
    await exportItems(context, siteExport);
    await noteOmittedContents(context, siteExport);
  },
  check: async (siteImport) => {
    await checkItems(siteImport);
    if (!hasFile(siteImport.files, backgroundsFile)) return;
    for (const { images } of await siteImport.read(backgroundsFile, Backgrounds))
      for (const image of images) await assertMedia(siteImport.requireFile(image.file), image);
  },
  import: async (siteImport) => {
    const results = [
      hasFile(siteImport.files, backgroundsFile) ? await importBackgrounds(context, siteImport) : undefined,
      await importItems(context, siteImport),
    ];
    const sum = (name: keyof ImportedCounts): number =>
      results.reduce((total, result) => total + (result?.[name] ?? 0), 0);
    return { added: sum('added'), changed: sum('changed'), unchanged: sum('unchanged') };
  },
});

const hasFile = (files: readonly ImportedFile[], name: string): boolean => files.some((file) => file.name === name);

async function exportBackgrounds({ tables }: MediaContext, siteExport: SiteExport): Promise<void> {
  const rows = await tables
    .selectFrom('background')
    .select(['subject', 'location', 'images'])
    .where(atLocation('location', siteExport.locations))
    .orderBy('subject')
    .execute();
  const exportedBackgrounds: ExportedBackgrounds = [];
  for (const { subject, location, images } of rows) {
    const exportedImages: Static<typeof MediaFile>[] = [];
    const screen = backgroundKinds.find((kind) => subject.startsWith(`${kind} `));
    if (screen === undefined || location === null) continue;
    for (const [index, { file: id, name, video }] of images.entries()) {
      const file = await siteExport.addStored(`backgrounds/${location}-${screen}-${index + 1}`, id);
      if (file === undefined)
        siteExport.note(
          `The background ${name} of ${location} is missing in the file store.`,
          `L’arrière-plan ${name} de ${location} manque dans le stockage de fichiers.`,
        );
      else exportedImages.push({ file, name, video });
    }
    if (exportedImages.length > 0) exportedBackgrounds.push({ screen, location, images: exportedImages });
  }
  if (exportedBackgrounds.length === 0) return;
  await siteExport.add(backgroundsFile, `${JSON.stringify(exportedBackgrounds, null, 1)}\n`);
  siteExport.count({ backgrounds: exportedBackgrounds.reduce((sum, { images }) => sum + images.length, 0) });
}

/** Notes the contents that belong to the product and not to a site. */
async function noteOmittedContents({ tables }: MediaContext, siteExport: SiteExport): Promise<void> {
  const login = await tables
    .selectFrom('background')
    .select('images')
    .where('subject', '=', 'LOGIN')
    .executeTakeFirst();
  const { count } = await tables
    .selectFrom('notice')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const omittedContents = [
    {
      count: login?.images.length ?? 0,
      en: 'backgrounds of the login screen',
      fr: 'arrière-plans de l’écran de connexion',
    },
    { count: Number(count), en: 'notices', fr: 'avis' },
  ].filter((content) => content.count > 0);
  const formatList = (language: 'en' | 'fr') =>
    omittedContents.map((content) => `${content.count} ${content[language]}`).join(', ');
  if (omittedContents.length > 0)
    siteExport.note(
      `Left out, because they belong to the product: ${formatList('en')}.`,
      `Laissés de côté, car ils appartiennent au produit : ${formatList('fr')}.`,
    );
}

async function importBackgrounds(context: MediaContext, siteImport: SiteImport): Promise<ImportedCounts> {
  const { tables, files, locations } = context;
  const { author, dryRun, note } = siteImport;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const importedBackgrounds = await siteImport.read(backgroundsFile, Backgrounds);
  const rows = await tables
    .selectFrom('background')
    .selectAll()
    .where(atLocation('location', [...new Set(importedBackgrounds.map(({ location }) => location))]))
    .execute();
  const rowBySubject = new Map(rows.map((row) => [row.subject, row]));
  const fileById = await files.findAll(rows.flatMap(({ images }) => images.map(({ file }) => file)));
  for (const { screen, location, images } of importedBackgrounds) {
    const subject: BackgroundSubject = { kind: screen, location };
    const formerRow = rowBySubject.get(toSubjectKey(subject));
    const isNewLocation = dryRun && !(await locations.find(location));
    if (!isNewLocation && !(await locations.canAccess(author.caller, location))) {
      note(
        `The backgrounds of ${location} were left out: there is no such location.`,
        `Les arrière-plans de ${location} ont été laissés de côté : cet emplacement n’existe pas.`,
      );
      continue;
    }
    const toKey = (sha256: string | null | undefined, { name, video }: Pick<StoredImage, 'name' | 'video'>): string =>
      JSON.stringify([sha256, name, video]);
    const formerKeys = (formerRow?.images ?? []).map((image) => toKey(fileById.get(image.file)?.sha256, image));
    const hashes: string[] = [];
    for (const [index, image] of images.entries()) {
      const file = siteImport.requireFile(image.file);
      const isStored = formerKeys[index] === toKey(file.sha256, image);
      hashes.push(isStored ? file.sha256 : await withSafeMedia(file, image, ({ sha256 }) => Promise.resolve(sha256)));
    }
    const importedKeys = images.map((image, index) => toKey(hashes[index], image));
    if (formerKeys.join() === importedKeys.join()) {
      counts.unchanged += 1;
      continue;
    }
    counts[formerKeys.length > 0 ? 'changed' : 'added'] += 1;
    if (dryRun) continue;
    const ids: string[] = [];
    await removeOnFailure(files, ids, async () => {
      const savedImages: StoredImage[] = [];
      for (const { file, name, video } of images) {
        const audience = { kind: 'location', location } as const;
        const id = await withSafeMedia(siteImport.requireFile(file), { video }, (safeFile) =>
          storeSafeFile(context, safeFile, name, audience),
        );
        ids.push(id);
        savedImages.push({ file: id, name, video });
      }
      await changeBackgrounds(context, author, subject, formerRow?.version ?? 0, () => savedImages);
    });
    await siteImport.advance(images.length);
  }
  return counts;
}
