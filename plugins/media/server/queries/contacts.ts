import { sql, type Kysely, type Selectable } from 'kysely';
import type { SignInContent } from '#core/api';
import { atLocation, type Caller, type LocationStore } from '#core/server';
import type { Contact } from '#plugins/media';
import type { Page } from '#core/api';
import type { MediaTables } from '../tables.ts';

const defaultLimit = 50;
/** The contacts must fit into one line at the foot of the login screen. */
const maxOnLogin = 5;

interface ContactSource {
  readonly tables: Kysely<MediaTables>;
  readonly locations: LocationStore;
}

export const toContact = (row: Selectable<MediaTables['contact']>): Contact => ({
  uid: row.uid,
  name: row.name,
  jobTitle: row.job_title,
  category: row.category,
  email: row.email,
  phone: row.phone,
  location: row.location,
  languages: row.languages,
  sequence: row.sequence,
  onLogin: row.on_login,
  version: row.row_version,
});

/** Loads the contacts that the caller can access, in their order. */
export async function loadContacts(
  { tables, locations }: ContactSource,
  caller: Caller,
  { offset = 0, limit = defaultLimit }: { readonly offset?: number; readonly limit?: number },
): Promise<Page<Contact>> {
  const accessibleLocations = await locations.accessible(caller);
  const visible = tables
    .selectFrom('contact')
    .where((builder) => builder.or([builder('location', 'is', null), atLocation('location', accessibleLocations)]));
  const { total } = await visible.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow();
  const rows = await visible
    .selectAll()
    .orderBy('sequence')
    .orderBy('name')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total, offset, rows: rows.map(toContact) };
}

/** Loads the contacts that admins chose for the login screen, with only the fields that it shows. */
export async function loadLoginContacts(tables: Kysely<MediaTables>): Promise<SignInContent['contacts']> {
  const rows = await tables
    .selectFrom('contact')
    .select(['name', 'email', 'phone'])
    .where('on_login', '=', true)
    .orderBy('sequence')
    .orderBy('name')
    .limit(maxOnLogin)
    .execute();
  return rows.map(({ name, email, phone }) => ({
    name,
    ...(email === null ? {} : { email }),
    ...(phone === null ? {} : { phone }),
  }));
}
