import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { ContentChanges } from '#core/server';
import type { ApplyContext, ImportKind } from '#plugins/imports';
import type { TourTables } from '../../tables.ts';
import { decks, decksSheet, writeDecks } from './decks-sheet.ts';
import { coursesSheet, recordCourses, writeCourses } from './courses-sheet.ts';
import { deleteEntities, loadEntityRows, recordEntities } from './entity-rows.ts';
import { lineViewsSheet, recordLineViews, writeLineViews } from './line-views-sheet.ts';
import { linesSheet, recordLines, writeLines } from './lines-sheet.ts';
import { linksSheet, writeLinks } from './links-sheet.ts';
import { lines, tags } from './tag-rows.ts';
import { recordViewsOfRemovedTags, tagsSheet, writeTags } from './tags-sheet.ts';
import { tours, toursSheet, writeStartViewpoints, writeTours } from './tours-sheet.ts';
import { recordWalls, wallsSheet, writeWalls } from './walls-sheet.ts';
import { viewpoints } from './viewpoint-rows.ts';
import { recordViewpoints, viewpointsSheet, writeViewpoints } from './viewpoints-sheet.ts';

/** Writes all sheets: removes children before parents, and adds parents before children. */
async function applyTour(context: ApplyContext<TourTables>): Promise<void> {
  const rows = {
    decks: await loadEntityRows(context, decks),
    tours: await loadEntityRows(context, tours),
    viewpoints: await loadEntityRows(context, viewpoints),
    lines: await loadEntityRows(context, lines),
    tags: await loadEntityRows(context, tags),
  };
  const entities = [
    [tags, rows.tags],
    [lines, rows.lines],
    [viewpoints, rows.viewpoints],
    [tours, rows.tours],
    [decks, rows.decks],
  ] as const;
  // Rows are recorded before anything is deleted: first the entities, then the rows that depend on them.
  for (const entity of entities) await recordEntities(context, ...entity);
  await recordViewsOfRemovedTags(context, rows.tags);
  await recordLines(context, rows.lines);
  await recordCourses(context);
  await recordLineViews(context, rows.lines);
  await recordViewpoints(context, rows.viewpoints);
  await recordWalls(context);
  for (const entity of entities) await deleteEntities(context, ...entity);
  await writeDecks(context, rows.decks);
  await writeWalls(context);
  await writeTours(context, rows.tours);
  await writeViewpoints(context, rows.viewpoints);
  await writeStartViewpoints(context, rows.tours);
  await writeLinks(context);
  await writeLines(context, rows.lines);
  await writeCourses(context);
  await writeLineViews(context);
  await writeTags(context, rows.tags);
}

/**
 * Creates the kind of import for the content of a site: decks, tours, viewpoints, links, lines with their courses, and
 * tags.
 */
export const createTourKind = (changes: ContentChanges<TourTables>): ImportKind<TourTables> => ({
  id: 'tour.tags',
  title: { en: 'Tour & Tags', fr: 'Visite et repères' },
  order: 30,
  scope: 'SITE',
  fileName: (code) => `${code}_TOUR_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [
    decksSheet,
    wallsSheet,
    toursSheet,
    viewpointsSheet,
    linksSheet,
    linesSheet,
    coursesSheet,
    lineViewsSheet,
    tagsSheet,
  ],
  readme: [
    {
      en: 'Decks with their walls, tours, viewpoints, links, lines with their courses, and tags of one site. A row with an existing code or number changes that object. Any other row adds one. A missing sheet changes nothing.',
      fr: 'Ponts et leurs parois, visites, points de vue, liens, lignes et leurs tracés, repères d’un site. Une ligne dont le code ou le numéro existe modifie l’objet, une autre l’ajoute. Une feuille absente ne change rien.',
    },
    {
      en: 'Upload plans and panoramas in the admin screens. A replacing import never removes objects with a plan, panoramas or documents.',
      fr: 'Les plans et panoramas sont importés à l’écran. Un import qui remplace ne supprime jamais ce qui a un plan, des panoramas ou des documents.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: applyTour,
});
