import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { ContentChanges } from '#core/server';
import type { ApplyContext, ImportKind } from '#plugins/imports';
import type { TourTables } from '../../tables.ts';
import { decks, decksSheet, writeDecks } from './decks-sheet.ts';
import { deleteEntities, loadEntityRows, recordEntities } from './entity-rows.ts';
import { linesSheet, recordLines, writeLines } from './lines-sheet.ts';
import { linksSheet, writeLinks } from './links-sheet.ts';
import { lines, tags } from './tag-rows.ts';
import { recordTags, tagsSheet, writeTags } from './tags-sheet.ts';
import { tours, toursSheet, writeStarts, writeTours } from './tours-sheet.ts';
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
  for (const entity of entities) await recordEntities(context, ...entity);
  await recordTags(context, rows.tags);
  await recordLines(context, rows.lines);
  await recordViewpoints(context, rows.viewpoints);
  for (const entity of entities) await deleteEntities(context, ...entity);
  await writeDecks(context, rows.decks);
  await writeTours(context, rows.tours);
  await writeViewpoints(context, rows.viewpoints);
  await writeStarts(context, rows.tours);
  await writeLinks(context);
  await writeLines(context, rows.lines);
  await writeTags(context, rows.tags);
}

/** The import of what is set up at a site: decks, tours, viewpoints, links, lines and tags. */
export const createTourKind = (changes: ContentChanges<TourTables>): ImportKind<TourTables> => ({
  id: 'tour.tags',
  title: { en: 'Tour & Tags', fr: 'Visite et repères' },
  order: 30,
  scope: 'SITE',
  fileName: (code) => `${code}_TOUR_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [decksSheet, toursSheet, viewpointsSheet, linksSheet, linesSheet, tagsSheet],
  readme: [
    {
      en: 'Decks, tours, viewpoints, links, lines and tags of one site. A row with a known code or number changes what it names, another one adds it. A sheet that is left out changes nothing.',
      fr: 'Ponts, visites, points de vue, liens, lignes et repères d’un site. Une ligne dont le code ou le numéro existe modifie l’objet, une autre l’ajoute. Une feuille absente ne change rien.',
    },
    {
      en: 'Plans and panoramas are uploaded on screens. A replacing import never removes what has a plan, panoramas or documents.',
      fr: 'Les plans et panoramas sont importés à l’écran. Un import qui remplace ne supprime jamais ce qui a un plan, des panoramas ou des documents.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: applyTour,
});
