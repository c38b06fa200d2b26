import { sql } from 'kysely';
import { Jobs } from '#core/server';
import type { TestServer } from '#core/testing/server';

/**
 * Computes all tag views from positions. Without it, exports could not be compared, because the demo plant comes with
 * views from its renderings.
 */
export async function computeViews({ server, service }: TestServer): Promise<void> {
  await sql`
    insert into tour.moved_place (uid, site, type)
    select uid, site, 'TAG' from tour.tag where x is not null union all select uid, site, 'NODE' from tour.node
    on conflict do nothing`.execute(server.database.of<unknown>('core'));
  const jobs = service(Jobs);
  await jobs.waitForCompletion(await jobs.start('tour.check-tag-views', {}, null));
}
