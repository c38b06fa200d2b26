import { sql } from 'kysely';
import type { ContentChanges } from '#core/server';
import { finding, type ImportKind, type ImportSheet } from '#plugins/imports';
import { phonePattern } from '#plugins/media';
import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { MediaTables } from '../../tables.ts';
import { applyContacts, normalisePhoneSql } from './apply-contacts.ts';

export const contactsSheetId = 'contacts';

const sheet: ImportSheet = {
  id: contactsSheetId,
  name: 'Contacts',
  journalTable: 'contact',
  removable: true,
  columns: [
    {
      id: 'name',
      header: { en: 'Name', fr: 'Nom' },
      synonymHeaders: ['Contact', 'Full Name', 'Nom complet', 'Nom et prénom'],
      type: 'NAME',
      required: true,
      key: true,
      note: {
        en: 'Unique at its location, ignoring case.',
        fr: 'Unique à son emplacement, sans tenir compte de la casse.',
      },
    },
    {
      id: 'jobTitle',
      header: { en: 'Job Title', fr: 'Fonction' },
      synonymHeaders: ['Title', 'Role', 'Poste'],
      type: 'NAME',
    },
    {
      id: 'category',
      header: { en: 'Category', fr: 'Catégorie' },
      type: 'ENUM',
      required: true,
      values: [
        { value: 'SUPPORT', label: { en: 'Support', fr: 'Assistance' } },
        { value: 'ADMIN', label: { en: 'Admin', fr: 'Administration' } },
        { value: 'SITE', label: { en: 'Site', fr: 'Site' } },
        { value: 'EMERGENCY', label: { en: 'Emergency', fr: 'Urgence' } },
      ],
    },
    {
      id: 'email',
      header: { en: 'Email', fr: 'E-mail' },
      synonymHeaders: ['Email Address', 'Mail', 'Adresse e-mail', 'Courriel'],
      type: 'EMAIL',
      note: { en: 'An email or a phone number is required.', fr: 'Un e-mail ou un téléphone est obligatoire.' },
    },
    {
      id: 'phone',
      header: { en: 'Phone', fr: 'Téléphone' },
      synonymHeaders: ['Phone Number', 'Telephone', 'Tel', 'Mobile', 'N° de téléphone'],
      type: 'TEXT',
      maxLength: 40,
      note: { en: 'With + and the country, such as +4755501234.', fr: 'Avec + et le pays, comme +4755501234.' },
    },
    {
      id: 'location',
      header: { en: 'Location Code', fr: 'Code de l’emplacement' },
      synonymHeaders: ['Emplacement', 'Site', 'Unit', 'Unité'],
      type: 'REFERENCE',
      required: true,
      key: true,
      reference: {
        entity: { en: 'locations', fr: 'emplacements' },
        find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
      },
      note: {
        en: 'People with access to it see the contact.',
        fr: 'Les personnes qui y ont accès voient le contact.',
      },
    },
    {
      id: 'languages',
      header: { en: 'Languages', fr: 'Langues' },
      type: 'LIST',
      note: { en: 'Separated by semicolons.', fr: 'Séparées par des points-virgules.' },
    },
    {
      id: 'sequence',
      header: { en: 'Sequence', fr: 'Ordre' },
      type: 'INTEGER',
      min: 0,
      max: 1_000_000,
      default: 0,
      note: { en: 'Position in the list.', fr: 'Position dans la liste.' },
    },
    {
      id: 'onLogin',
      header: { en: 'Show on Login', fr: 'Afficher à la connexion' },
      type: 'BOOLEAN',
      default: false,
      note: { en: 'Everybody can see it then.', fr: 'Tout le monde peut alors le voir.' },
    },
  ],
  current: ({ locations }) => sql`
    select jsonb_build_object('name', name, 'jobTitle', job_title, 'category', category, 'email', email,
      'phone', phone, 'location', location, 'languages', nullif(languages, '[]'::jsonb), 'sequence', sequence,
      'onLogin', on_login) as values
    from media.contact where location = any(${[...locations]}::text[])`,
  check: ({ rows }) => sql`
    with row as (
      select id, coalesce(before, '{}') || values as values from (${rows(contactsSheetId)}) as staged
      where number is not null
    )
    select ${finding('phone', 'media.refused.contactUnreachable')}
    from row where values ->> 'email' is null and values ->> 'phone' is null
    union all
    select ${finding('phone', 'media.refused.phone')}
    from row where ${normalisePhoneSql(sql`values ->> 'phone'`)} !~ ${phonePattern}`,
};

/** Imports the contacts of a site. Contacts for everybody are edited only on the screen. */
export const createContactsKind = (changes: ContentChanges<MediaTables>): ImportKind<MediaTables> => ({
  id: 'media.contacts',
  title: { en: 'Contact details', fr: 'Contacts' },
  order: 80,
  scope: 'SITE',
  fileName: (code) => `${code}_CONTACT_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [sheet],
  readme: [
    {
      en: 'The people whom others can ask. A row with a known name and location changes the contact.',
      fr: 'À qui s’adresser. Une ligne dont le nom et l’emplacement existent modifie le contact.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: applyContacts,
});
