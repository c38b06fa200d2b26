import { createHash, randomInt } from 'node:crypto';
import { decodeViewState, encodeViewState } from '#core';
import { invalidRequest, type Caller } from '#core/server';
import { linkCodeAlphabet, linkCodeLength } from '../../contract/api/links.ts';
import { tourRefusal } from '../../contract/errors.ts';
import type { TourContext } from '../queries/tour-at.ts';

const createCode = (): string =>
  Array.from({ length: linkCodeLength }, () => linkCodeAlphabet[randomInt(linkCodeAlphabet.length)]).join('');

/**
 * Saves a view and returns the code of its link. The view is decoded and encoded again, so that only valid views are
 * stored.
 *
 * @throws 400 if the text is no view
 */
export async function saveLink(
  { tables }: Pick<TourContext, 'tables'>,
  caller: Caller,
  location: string,
  text: string,
): Promise<{ readonly code: string }> {
  const decodedView = decodeViewState(text);
  if (!decodedView) throw invalidRequest(tourRefusal('tour.refused.noView'));
  const view = encodeViewState(decodedView);
  const digest = createHash('sha256').update(view).digest('hex');
  // Retries with another code if the code is taken. A view that already has a link keeps the code of that link.
  for (;;) {
    await tables
      .insertInto('view_link')
      .values({ code: createCode(), location, view, digest, author: caller.uid, created_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const savedLink = await tables
      .selectFrom('view_link')
      .select('code')
      .where('location', '=', location)
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (savedLink) return savedLink;
  }
}
