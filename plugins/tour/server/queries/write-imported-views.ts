import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { RecordedTransaction } from '#core/server';
import type { TourTables } from '../tables.ts';

/** Writes imported views, which cannot be computed. `views` has the columns `tag, node, pan, tilt, distance, visible`. */
export async function writeImportedViews(
  transaction: Transaction<TourTables>,
  views: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into tour.tag_view (tag, node, pan, tilt, distance, visible, given)
    select tag, node, pan, tilt, distance, visible,
      jsonb_build_object('pan', pan, 'tilt', tilt, 'distance', distance, 'visible', visible)
    from (${views}) as view
    on conflict (node, tag) do update set pan = excluded.pan, tilt = excluded.tilt, distance = excluded.distance,
      visible = excluded.visible, given = excluded.given`.execute(transaction);
}

/**
 * Sets `given` of views of these tags where it is missing. Changes of earlier versions recorded views without `given`,
 * and an undo restores such rows.
 */
async function completeImportedViews(transaction: Transaction<TourTables>, tags: readonly string[]): Promise<void> {
  await sql`
    update tour.tag_view
    set given = jsonb_build_object('pan', pan, 'tilt', tilt, 'distance', distance, 'visible', visible)
    from tour.tag
    where tag_view.tag = any(${[...tags]}::text[]) and given is null and tag.uid = tag_view.tag and tag.x is null
      and not exists (select from tour.moved_place as moved where moved.type = 'TAG' and moved.uid = tag.uid)`.execute(
    transaction,
  );
}

/** Records the imported views of these tags before they change. */
export async function recordImportedViews(
  { tables, lockAndRecord }: Pick<RecordedTransaction<TourTables>, 'tables' | 'lockAndRecord'>,
  tags: readonly string[],
): Promise<void> {
  await completeImportedViews(tables, tags);
  await lockAndRecord('tag_view', 'tag', tags);
}

/** Restores the columns of the imported views of these tags from `given`, after an undo. */
export async function restoreImportedViews(
  transaction: Transaction<TourTables>,
  tags: readonly string[],
): Promise<void> {
  if (tags.length === 0) return;
  await completeImportedViews(transaction, tags);
  await sql`
    update tour.tag_view set pan = view.pan, tilt = view.tilt, distance = view.distance, visible = view.visible
    from tour.tag_view as old cross join lateral
      jsonb_to_record(old.given) as view (pan float8, tilt float8, distance float8, visible float8)
    where old.given is not null and old.tag = any(${[...tags]}::text[])
      and tag_view.tag = old.tag and tag_view.node = old.node
      and (tag_view.pan, tag_view.tilt, tag_view.distance, tag_view.visible)
        is distinct from (view.pan, view.tilt, view.distance, view.visible)`.execute(transaction);
}
