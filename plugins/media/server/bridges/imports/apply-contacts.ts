import { sql, type RawBuilder } from 'kysely';
import type { ApplyContext } from '#plugins/imports';
import { phonePunctuation } from '#plugins/media';
import type { MediaTables } from '../../tables.ts';

const sheetId = 'contacts';

/** Does in SQL what `normalisePhone` does. */
export const normalisePhoneSql = (text: RawBuilder<unknown>) =>
  sql`regexp_replace(regexp_replace(${text}, ${phonePunctuation}, '', 'g'), '^00', '+')`;

/** Adds, changes and removes contacts. Columns that the file lacks keep their values. */
export async function applyContacts({ rows, recordedTransaction, scope }: ApplyContext<MediaTables>): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  const locations = sql`unnest(${[...scope.locations]}::text[])`;
  // Cells of the file replace current values. The join returns each location code as the product spells it.
  const stagedRows = sql`
    select state, lower(values ->> 'name') as key, values, code as location
    from (
      select state, coalesce(before, '{}') || values as values from (${rows(sheetId)}) as staged
      where state in ('ADDED', 'CHANGED', 'REMOVED')
    ) as merged
    join ${locations} as code on lower(code) = lower(values ->> 'location')`;
  const { rows: names } = await sql<{ name: string }>`
    select distinct name from media.contact join (${stagedRows}) as row
      on lower(contact.name) = row.key and contact.location = row.location
    union select distinct values ->> 'name' from (${stagedRows}) as row`.execute(tables);
  await lockAndRecord(
    'contact',
    'name',
    names.map(({ name }) => name),
  );
  await sql`
    delete from media.contact using (${stagedRows}) as row
    where row.state = 'REMOVED' and lower(contact.name) = row.key and contact.location = row.location`.execute(tables);
  await sql`
    insert into media.contact
      (name, job_title, category, email, phone, location, languages, sequence, on_login)
    select values ->> 'name', values ->> 'jobTitle', values ->> 'category', values ->> 'email',
      ${normalisePhoneSql(sql`values ->> 'phone'`)},
      location, coalesce(nullif(values -> 'languages', 'null'::jsonb), '[]'::jsonb),
      coalesce((values ->> 'sequence')::integer, 0), coalesce((values ->> 'onLogin')::boolean, false)
    from (${stagedRows}) as row where state in ('ADDED', 'CHANGED')
    on conflict (lower(name), coalesce(location, '')) do update set
      name = excluded.name, job_title = excluded.job_title, category = excluded.category, email = excluded.email,
      phone = excluded.phone, languages = excluded.languages, sequence = excluded.sequence,
      on_login = excluded.on_login`.execute(tables);
}
