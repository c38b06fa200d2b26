import type { DemoRows } from '#core/server';
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

/** Seeds the contacts of everybody. Existing contacts are unchanged. */
const demoRows: DemoRows<MediaTables> = async ({ tables }) => {
  await tables
    .insertInto('contact')
    .values(
      contacts.map((contact, sequence) => ({
        ...contact,
        phone: null,
        location: null,
        languages: JSON.stringify(['English', 'Français']),
        sequence,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
export default demoRows;
