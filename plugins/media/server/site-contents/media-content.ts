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
import { assertMedia, MediaFile, storeSafe, withSafeMedia, type MediaContext } from './media-files.ts';
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

/** Images and videos of the product, and the backgrounds of the site and its tours. */
export const createMediaContent = (context: MediaContext): SiteContent => ({
  id: 'media',
  title: { en: 'Media and backgrounds', fr: 'Médias et arrière-plans' },
  frenchCounts: { backgrounds: 'arrière-plans', 'images and videos': 'images et vidéos' },
  folder: 'media',
  order: 95,
  access: 'configure',
  export: async (out) => {
    await exportBackgrounds(context, out);
    await exportItems(context, out);
    await noteOthers(context, out);
  },
  check: async (source) => {
    await checkItems(source);
    if (!has(source.files, backgroundsFile)) return;
    for (const { images } of await source.read(backgroundsFile, Backgrounds))
      for (const image of images) await assertMedia(source.file(image.file), image);
  },
  import: async (source) => {
    const parts = [
      has(source.files, backgroundsFile) ? await importBackgrounds(context, source) : undefined,
      await importItems(context, source),
    ];
    const sum = (name: keyof ImportedCounts): number => parts.reduce((total, part) => total + (part?.[name] ?? 0), 0);
    return { added: sum('added'), changed: sum('changed'), unchanged: sum('unchanged') };
  },
});

const has = (files: readonly ImportedFile[], name: string): boolean => files.some((file) => file.name === name);

async function exportBackgrounds({ tables }: MediaContext, out: SiteExport): Promise<void> {
  const rows = await tables
    .selectFrom('background')
    .select(['subject', 'location', 'images'])
    .where(atLocation('location', out.locations))
    .orderBy('subject')
    .execute();
  const exportedBackgrounds: ExportedBackgrounds = [];
  for (const { subject, location, images } of rows) {
    const keptImages: Static<typeof MediaFile>[] = [];
    const screen = backgroundKinds.find((kind) => subject.startsWith(`${kind} `));
    if (screen === undefined || location === null) continue;
    for (const [index, { file: id, name, video }] of images.entries()) {
      const file = await out.addStored(`backgrounds/${location}-${screen}-${index + 1}`, id);
      if (file === undefined)
        out.note(
          `The background ${name} of ${location} is missing in the file store.`,
          `L’arrière-plan ${name} de ${location} manque dans le stockage de fichiers.`,
        );
      else keptImages.push({ file, name, video });
    }
    if (keptImages.length > 0) exportedBackgrounds.push({ screen, location, images: keptImages });
  }
  if (exportedBackgrounds.length === 0) return;
  await out.add(backgroundsFile, `${JSON.stringify(exportedBackgrounds, null, 1)}\n`);
  out.count({ backgrounds: exportedBackgrounds.reduce((sum, { images }) => sum + images.length, 0) });
}

/** The contents that belong to the product and not to a site. */
async function noteOthers({ tables }: MediaContext, out: SiteExport): Promise<void> {
  const login = await tables
    .selectFrom('background')
    .select('images')
    .where('subject', '=', 'LOGIN')
    .executeTakeFirst();
  const { count } = await tables
    .selectFrom('notice')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const left = [
    {
      count: login?.images.length ?? 0,
      en: 'backgrounds of the login screen',
      fr: 'arrière-plans de l’écran de connexion',
    },
    { count: Number(count), en: 'notices', fr: 'avis' },
  ].filter((each) => each.count > 0);
  const list = (language: 'en' | 'fr') => left.map((each) => `${each.count} ${each[language]}`).join(', ');
  if (left.length > 0)
    out.note(
      `Left out, because they belong to the product: ${list('en')}.`,
      `Laissés de côté, car ils appartiennent au produit : ${list('fr')}.`,
    );
}

async function importBackgrounds(context: MediaContext, source: SiteImport): Promise<ImportedCounts> {
  const { tables, files, locations } = context;
  const { author, dryRun, note } = source;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const importedBackgrounds = await source.read(backgroundsFile, Backgrounds);
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
    const isExpected = dryRun && !(await locations.find(location));
    if (!isExpected && !(await locations.canAccess(author.caller, location))) {
      note(
        `The backgrounds of ${location} were left out: there is no such location.`,
        `Les arrière-plans de ${location} ont été laissés de côté : cet emplacement n’existe pas.`,
      );
      continue;
    }
    const toKey = (sha256: string | null | undefined, { name, video }: Pick<StoredImage, 'name' | 'video'>): string =>
      JSON.stringify([sha256, name, video]);
    const before = (formerRow?.images ?? []).map((image) => toKey(fileById.get(image.file)?.sha256, image));
    const hashes: string[] = [];
    for (const [index, image] of images.entries()) {
      const file = source.file(image.file);
      const isStored = before[index] === toKey(file.sha256, image);
      hashes.push(isStored ? file.sha256 : await withSafeMedia(file, image, ({ sha256 }) => Promise.resolve(sha256)));
    }
    const wantedKeys = images.map((image, index) => toKey(hashes[index], image));
    if (before.join() === wantedKeys.join()) {
      counts.unchanged += 1;
      continue;
    }
    counts[before.length > 0 ? 'changed' : 'added'] += 1;
    if (dryRun) continue;
    const ids: string[] = [];
    await removeOnFailure(files, ids, async () => {
      const savedImages: StoredImage[] = [];
      for (const { file, name, video } of images) {
        const audience = { kind: 'location', location } as const;
        const id = await withSafeMedia(source.file(file), { video }, (safe) =>
          storeSafe(context, safe, name, audience),
        );
        ids.push(id);
        savedImages.push({ file: id, name, video });
      }
      await changeBackgrounds(context, author, subject, formerRow?.version ?? 0, () => savedImages);
    });
    await source.advance(images.length);
  }
  return counts;
}
