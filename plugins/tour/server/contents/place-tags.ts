import { sql } from 'kysely';
import type { ChangeAuthor } from '#core/server';
import type { TagPosition } from '#plugins/tour';
import { getSite, type ContentContext } from './content-context.ts';

/**
 * Sets the positions of tags of the location's site that have no position and are at one of `accessibleLocations`, in
 * one change.
 *
 * @throws `notFound` (404) for an unknown location
 */
export async function placeTags(
  context: ContentContext,
  author: ChangeAuthor,
  location: string,
  positions: readonly TagPosition[],
  accessibleLocations: readonly string[],
): Promise<{ readonly change: string | null; readonly placed: readonly string[] }> {
  const [firstPosition] = positions;
  if (!firstPosition) return { change: null, placed: [] };
  const site = await getSite(context, location);
  const uids = positions.map(({ tag }) => tag);
  const firstTag = await context.tables
    .selectFrom('tag')
    .select('code')
    .where('uid', '=', firstPosition.tag)
    .executeTakeFirst();
  const placedUids: string[] = [];
  const { change } = await context.changes.apply(
    author,
    { action: 'tour.tagsPlaced', subject: firstPosition.tag, name: firstTag?.code ?? firstPosition.tag, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('tag', 'uid', uids);
      const input = positions.map(({ tag, position: [x, y, z] }) => ({ uid: tag, x, y, z }));
      const { rows } = await sql<{ uid: string }>`
        update tour.tag set x = input.x, y = input.y, z = input.z
        from jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
          as input (uid text, x double precision, y double precision, z double precision)
        where tag.uid = input.uid and tag.site = ${site} and tag.x is null
          and tag.location = any(${[...accessibleLocations]}::text[])
        returning tag.uid`.execute(tables);
      placedUids.push(...rows.map(({ uid }) => uid));
    },
  );
  return { change, placed: placedUids };
}
