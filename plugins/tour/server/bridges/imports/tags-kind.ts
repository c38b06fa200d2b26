import { sql } from 'kysely';
import type { ContentChanges } from '#core/server';
import type { ImportColumn, ImportKind, ImportSheet } from '#plugins/imports';
import { maxDescriptionLength, maxNumberLength, tagKinds } from '../../../contract/values/tag-values.ts';
import type { TourTables } from '../../tables.ts';
import { applyTags } from './apply-tags.ts';
import { checkTags } from './check-tags.ts';

const coordinate = (id: 'x' | 'y' | 'z', en: string, fr: string): ImportColumn => ({
  id,
  header: { en: `${id.toUpperCase()} (m)`, fr: `${id.toUpperCase()} (m)` },
  type: 'NUMBER',
  min: -1e8,
  max: 1e8,
  note: { en, fr },
});

const sheet: ImportSheet = {
  id: 'tags',
  name: 'Tags',
  removable: true,
  columns: [
    {
      id: 'number',
      header: { en: 'Tag Number', fr: 'Repère' },
      type: 'TAGNO',
      required: true,
      key: true,
      maxLength: maxNumberLength,
      note: { en: 'Unique in the site, ignoring case.', fr: 'Unique sur le site, sans tenir compte de la casse.' },
    },
    {
      id: 'kind',
      header: { en: 'Kind', fr: 'Famille' },
      type: 'ENUM',
      required: true,
      values: tagKinds.map((value) => ({ value, label: { en: value, fr: value } })),
    },
    {
      id: 'location',
      header: { en: 'Location Code', fr: 'Code d’emplacement' },
      type: 'REFERENCE',
      required: true,
      reference: {
        entity: { en: 'locations', fr: 'emplacements' },
        find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
      },
      note: { en: 'A location of the site.', fr: 'Un emplacement du site.' },
    },
    {
      id: 'description',
      header: { en: 'Description', fr: 'Description' },
      type: 'TEXT',
      maxLength: maxDescriptionLength,
      default: '',
    },
    {
      id: 'line',
      header: { en: 'Line Number', fr: 'Numéro de ligne' },
      type: 'REFERENCE',
      maxLength: maxNumberLength,
      reference: {
        entity: { en: 'lines', fr: 'lignes' },
        find: ({ site }) => sql`
          select code, true as active from tour.tag where site = ${site} and type = 'LINE'`,
      },
    },
    coordinate('x', 'East, in the site frame.', 'Est, dans le repère du site.'),
    coordinate('y', 'North, in the site frame.', 'Nord, dans le repère du site.'),
    coordinate('z', 'Height, in the site frame.', 'Altitude, dans le repère du site.'),
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'number', tag.code, 'kind', tag.kind, 'location', tag.location, 'description', tag.description,
      'line', line.code, 'x', tag.x, 'y', tag.y, 'z', tag.z) as values
    from tour.tag left join tour.tag as line on line.uid = tag.line
    where tag.site = ${site} and tag.type = 'TAG' and tag.location = any(${[...locations]}::text[])`,
  check: checkTags,
};

/** The import of the tags of a site. Lines and their data are no part of it. */
export const createTagsKind = (changes: ContentChanges<TourTables>): ImportKind<TourTables> => ({
  id: 'tour.tags',
  title: { en: 'Tour & Tags', fr: 'Visite et repères' },
  order: 30,
  scope: 'SITE',
  fileName: (code) => `${code}_TOUR_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [sheet],
  readme: [
    {
      en: 'The tags of one site. A row with a known number changes the tag. Tags are seen from the viewpoints near them.',
      fr: 'Les repères d’un site. Une ligne dont le numéro existe modifie le repère. Les repères sont visibles depuis les points de vue proches.',
    },
  ],
  changes,
  apply: applyTags,
});
