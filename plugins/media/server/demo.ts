import type { SeedDemo } from '#core/server';
import type { MediaTables } from './tables.ts';

const contacts = [
  {
    name: 'Ingrid Halvorsen',
    job_title: 'Accounts and access',
    category: 'ADMIN',
    email: 'admin@walkdown.example',
    on_login: true,
  },
  { name: 'Malik Osei', job_title: 'Permits', category: 'SUPPORT', email: 'permits@walkdown.example', on_login: false },
] as const;

/** Contacts of the first site. */
const siteContacts = [
  {
    name: 'Central control room',
    job_title: 'Day and night',
    category: 'EMERGENCY',
    email: null,
    phone: '+4755501000',
  },
  {
    name: 'Ragnhild Dahl',
    job_title: 'Area authority',
    category: 'SITE',
    email: 'area.authority@walkdown.example',
    phone: '+4755501010',
  },
] as const;

/** Seeds contacts for everybody and for the first site. Existing contacts are unchanged. */
const seedDemo: SeedDemo<MediaTables> = async ({ tables }, { locations }) => {
  const site = locations.find(({ parent }) => parent === null)?.uid;
  const rows = [
    ...contacts.map((contact) => ({ ...contact, phone: null, location: null })),
    ...(site === undefined ? [] : siteContacts.map((contact) => ({ ...contact, on_login: false, location: site }))),
  ];
  await tables
    .insertInto('contact')
    .values(
      rows.map((contact, sequence) => ({
        ...contact,
        languages: JSON.stringify(['English', 'Français']),
        sequence,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
export default seedDemo;
