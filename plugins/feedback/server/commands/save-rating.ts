import { validationMessages } from '#core';
import { invalidRequest, notFound, type Caller } from '#core/server';
import { Tours } from '#plugins/tour';
import type { FeedbackContext } from '../queries/tour-form.ts';

/**
 * Saves the rating of a tour with the form that was answered before it. Null means that the question was skipped.
 *
 * @throws 400 if the product has no ratings, or 404 if the uid is no form of the caller for this tour
 */
export async function saveRating(
  context: FeedbackContext,
  caller: Caller,
  location: string,
  uid: string,
  rating: number | null,
): Promise<void> {
  const tour = await context.service(Tours).tourAt(location);
  if (!context.settings.ratings)
    throw invalidRequest('This product has no ratings.', [
      { pointer: '/rating', message: validationMessages.unknownField },
    ]);
  const { numUpdatedRows } = await context.tables
    .updateTable('form')
    .set({ rating, rated_at: new Date() })
    .where('uid', '=', uid)
    .where('author', '=', caller.uid)
    .where('tour', '=', tour)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('This form');
}
