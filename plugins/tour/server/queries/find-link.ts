import { notFound, type Caller } from '#core/server';
import type { TourContext } from './tour-at.ts';

/**
 * Finds the view of a short link. Codes are not case-sensitive.
 *
 * @throws 404 if there is none or its location is not accessible
 */
export async function findLink(
  context: Pick<TourContext, 'tables' | 'locations'>,
  caller: Caller,
  code: string,
): Promise<{ readonly location: string; readonly view: string }> {
  const link = await context.tables
    .selectFrom('view_link')
    .select(['location', 'view'])
    .where('code', '=', code.toLowerCase())
    .executeTakeFirst();
  if (!link || !(await context.locations.canAccess(caller, link.location))) throw notFound('This link');
  return link;
}
