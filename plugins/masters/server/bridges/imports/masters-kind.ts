import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import { sql } from 'kysely';
import type { ContentChanges } from '#core/server';
import type { ImportKind, ImportSheet, LocalizedText } from '#plugins/imports';
import { masterTypes, type MasterTypeCode } from '#plugins/masters';
import type { MastersTables } from '../../tables.ts';
import { applyMasters } from './apply-masters.ts';
import { checkMasters, selectChildrenToRecheck } from './check-masters.ts';

export const mastersSheetId = 'masters';

/** Names of the types, the same as on screens. */
const typeLabels: Readonly<Record<MasterTypeCode, LocalizedText>> = {
  TYPE_OF_WORK: { en: 'Type of work', fr: 'Type de travail' },
  ACTIVITY: { en: 'Activity', fr: 'Activité' },
  USER_TYPE: { en: 'User type', fr: 'Type d’utilisateur' },
  SECTION: { en: 'Section', fr: 'Section' },
  DEPARTMENT: { en: 'Department', fr: 'Département' },
  DIVISION: { en: 'Division', fr: 'Division' },
  BUSINESS_UNIT: { en: 'Business unit', fr: 'Unité d’affaires' },
};
const typeValues = masterTypes.map((value) => ({ value, label: typeLabels[value] }));

const sheet: ImportSheet = {
  id: mastersSheetId,
  name: 'Masters',
  journalTable: 'master',
  columns: [
    {
      id: 'type',
      header: { en: 'Type', fr: 'Type' },
      type: 'ENUM',
      required: true,
      key: true,
      values: typeValues,
      note: { en: 'One of the listed types.', fr: 'L’un des types de la liste.' },
    },
    {
      id: 'name',
      header: { en: 'Name', fr: 'Nom' },
      type: 'NAME',
      required: true,
      key: true,
      maxLength: 100,
      terms: typeValues,
      note: { en: 'Unique in its type, ignoring case.', fr: 'Unique dans son type, sans tenir compte de la casse.' },
    },
    {
      id: 'status',
      header: { en: 'Status', fr: 'Statut' },
      type: 'ENUM',
      required: true,
      values: [
        { value: 'Active', label: { en: 'Active', fr: 'Actif' } },
        { value: 'Inactive', label: { en: 'Inactive', fr: 'Inactif' } },
      ],
      terms: typeValues,
    },
    {
      id: 'parentType',
      header: { en: 'Parent Type', fr: 'Type du parent' },
      type: 'ENUM',
      dependsOn: ['type'],
      values: typeValues,
      note: {
        en: 'Department for a section, division for a department, business unit for a division.',
        fr: 'Département pour une section, division pour un département, unité d’affaires pour une division.',
      },
    },
    {
      id: 'parentName',
      header: { en: 'Parent Name', fr: 'Nom du parent' },
      type: 'NAME',
      dependsOn: ['type', 'parentType'],
      maxLength: 100,
      terms: typeValues,
    },
    {
      id: 'sequence',
      header: { en: 'Sequence', fr: 'Ordre' },
      type: 'INTEGER',
      min: 0,
      max: 1_000_000,
      default: 0,
      note: { en: 'Position in lists.', fr: 'Position dans les listes.' },
    },
    { id: 'frenchName', header: { en: 'French Name', fr: 'Nom français' }, type: 'NAME', maxLength: 100 },
  ],
  current: () => sql`
    select jsonb_build_object(
      'type', master.type, 'name', master.name, 'status', case when master.active then 'Active' else 'Inactive' end,
      'parentType', parent.type, 'parentName', parent.name, 'sequence', master.position,
      'frenchName', master.french_name) as values
    from masters.master left join masters.master as parent on parent.uid = master.parent`,
  check: checkMasters,
  selectRowsToRecheck: selectChildrenToRecheck,
};

/**
 * Creates the kind of import for static masters. Answers of forms refer to masters, so imports deactivate them instead
 * of removing them.
 */
export const createMastersKind = (changes: ContentChanges<MastersTables>): ImportKind<MastersTables> => ({
  id: 'masters.masters',
  access: 'configure',
  title: { en: 'Static masters', fr: 'Données de référence' },
  order: 10,
  scope: 'NONE',
  fileName: () => 'STATIC_MASTER_IMPORT_FILE.xlsx',
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [sheet],
  readme: [
    {
      en: 'Values that people choose from, such as the type of work. A row with a known type and name changes it.',
      fr: 'Valeurs à choisir, comme le type de travail. Une ligne dont le type et le nom existent les modifie.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: applyMasters,
});
