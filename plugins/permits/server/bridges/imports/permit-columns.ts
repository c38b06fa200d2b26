import { sql } from 'kysely';
import type { ImportColumn, LocalizedText } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { maxWorkRadiusMetres } from '../../../common/permit-rules.ts';
import {
  assigneeRoles,
  permitOutcomes,
  permitStages,
  permitTypes,
  suspensionReasons,
  zoneClassesOfKind,
} from '../../../contract/index.ts';
import { stageSynonyms, toChoices } from './labels.ts';
import { locationReference } from './sheet-sql.ts';

const createPercentColumn = (id: string, header: LocalizedText): ImportColumn => ({
  id,
  header,
  type: 'NUMBER',
  min: 0,
  max: 100,
  decimals: 4,
  note: {
    en: 'Percent of the picture from its top left. Enter both X and Y, or neither.',
    fr: 'Pourcentage de l’image depuis le haut à gauche. X et Y sont tous deux donnés ou vides.',
  },
});

const createCodeColumn = (
  contents: SiteContents,
  kind: 'TOUR' | 'NODE',
  column: Pick<ImportColumn, 'id' | 'header'>,
  entity: LocalizedText,
): ImportColumn => ({
  ...column,
  type: 'REFERENCE',
  maxLength: 50,
  reference: {
    entity,
    find: ({ site }) => sql`select code, true as active from (${contents.select(kind, site)}) as code_list`,
  },
});

/** The columns that decide which zone of the map a permit is in. */
const placeColumns = ['map', 'level', 'x', 'y', 'elevation'];

/** Creates the columns of permits in the order of the sheet. */
export const createPermitColumns = (contents: SiteContents): readonly ImportColumn[] => [
  {
    id: 'number',
    header: { en: 'Permit Number', fr: 'Numéro du permis' },
    synonymHeaders: ['Permit', 'Permit No', 'PTW No', 'PTW Number', 'N° de permis', 'N° du permis', 'Permis'],
    type: 'TAGNO',
    required: true,
    key: true,
    maxLength: 50,
    note: { en: 'Unique within the site, ignoring case.', fr: 'Unique dans le site, sans tenir compte de la casse.' },
  },
  {
    id: 'name',
    header: { en: 'Permit Name', fr: 'Nom du permis' },
    synonymHeaders: ['Title', 'Job', 'Intitulé', 'Titre', 'Designation'],
    type: 'NAME',
    required: true,
    maxLength: 150,
  },
  {
    id: 'description',
    header: { en: 'Description', fr: 'Description' },
    type: 'TEXT',
    maxLength: 2000,
    default: '',
  },
  {
    id: 'type',
    header: { en: 'Permit Type', fr: 'Type de permis' },
    synonymHeaders: ['PTW Type'],
    type: 'ENUM',
    required: true,
    values: toChoices(permitTypes),
  },
  {
    id: 'stage',
    header: { en: 'Stage', fr: 'Étape' },
    synonymHeaders: ['Status', 'State', 'Statut', 'État'],
    type: 'ENUM',
    required: true,
    values: toChoices(permitStages),
    synonyms: stageSynonyms,
    terms: toChoices(assigneeRoles),
    note: {
      en: 'The next step: a permit in ISSUE is authorised, but not issued yet.',
      fr: 'Ce qui est attendu : ISSUE est autorisé et attend sa délivrance.',
    },
  },
  {
    id: 'validFrom',
    header: { en: 'Valid From', fr: 'Valide du' },
    synonymHeaders: ['Start', 'Start Date', 'From', 'Début', 'Date de début'],
    type: 'DATETIME',
    periodEdge: 'START',
    dependsOn: ['stage', 'validTo'],
    required: true,
    note: { en: 'In the time zone of the site.', fr: 'Dans le fuseau horaire du site.' },
  },
  {
    id: 'validTo',
    header: { en: 'Valid To', fr: 'Valide jusqu’au' },
    synonymHeaders: ['End', 'End Date', 'Valid Until', 'Fin', 'Date de fin'],
    type: 'DATETIME',
    periodEdge: 'END',
    required: true,
    note: {
      en: 'Include the time: a date alone means the start of that day.',
      fr: 'Avec l’heure : un jour seul finit quand il commence.',
    },
  },
  {
    ...locationReference,
    id: 'location',
    header: { en: 'Location Code', fr: 'Code d’emplacement' },
    synonymHeaders: ['Area', 'Unit', 'Emplacement', 'Unité'],
    required: true,
    note: { en: 'A location of the site, of any level.', fr: 'Un emplacement du site, de tout niveau.' },
  },
  createCodeColumn(
    contents,
    'TOUR',
    { id: 'tour', header: { en: 'Tour Code', fr: 'Code de visite' } },
    { en: 'tours', fr: 'visites' },
  ),
  createCodeColumn(
    contents,
    'NODE',
    { id: 'node', header: { en: 'Node Code', fr: 'Code du point de vue' } },
    { en: 'viewpoints', fr: 'points de vue' },
  ),
  { id: 'map', header: { en: 'Map Code', fr: 'Code du plan' }, type: 'CODE' },
  { id: 'level', header: { en: 'Level', fr: 'Niveau' }, type: 'CODE' },
  createPercentColumn('x', { en: 'X (%)', fr: 'X (%)' }),
  createPercentColumn('y', { en: 'Y (%)', fr: 'Y (%)' }),
  {
    id: 'elevation',
    header: { en: 'Elevation (m)', fr: 'Altitude (m)' },
    type: 'NUMBER',
    min: -100_000,
    max: 100_000,
    decimals: 2,
  },
  {
    id: 'workRadius',
    header: { en: 'Work Radius (m)', fr: 'Rayon des travaux (m)' },
    type: 'NUMBER',
    min: 0,
    max: maxWorkRadiusMetres,
    decimals: 2,
  },
  {
    id: 'hacZone',
    header: { en: 'HAC Zone', fr: 'Zone ATEX' },
    type: 'ENUM',
    dependsOn: placeColumns,
    values: toChoices(zoneClassesOfKind.HAC),
  },
  {
    id: 'h2sZone',
    header: { en: 'H2S Zone', fr: 'Zone H2S' },
    type: 'ENUM',
    dependsOn: placeColumns,
    values: toChoices(zoneClassesOfKind.H2S),
  },
  { id: 'system', header: { en: 'System Code', fr: 'Code du système' }, type: 'CODE' },
  {
    id: 'tags',
    header: { en: 'Tag Numbers', fr: 'Repères' },
    synonymHeaders: ['Tag', 'Equipment', 'Équipements', 'Repère'],
    type: 'LIST',
    maxLength: 80,
    note: { en: 'Separated by semicolons.', fr: 'Séparés par des points-virgules.' },
  },
  {
    id: 'workOrder',
    header: { en: 'Work Order', fr: 'Ordre de travail' },
    synonymHeaders: ['WO', 'Work Order No', 'OT', 'N° OT'],
    type: 'TEXT',
    maxLength: 40,
  },
  {
    id: 'suspensionReason',
    header: { en: 'Suspension Reason', fr: 'Motif de suspension' },
    type: 'ENUM',
    dependsOn: ['stage'],
    values: toChoices(suspensionReasons),
    note: { en: 'Required for SUSPENDED.', fr: 'Obligatoire pour SUSPENDED.' },
  },
  {
    id: 'outcome',
    header: { en: 'Outcome', fr: 'Issue' },
    type: 'ENUM',
    dependsOn: ['stage'],
    values: toChoices(permitOutcomes),
    note: { en: 'Required for CLOSED.', fr: 'Obligatoire pour CLOSED.' },
  },
];
