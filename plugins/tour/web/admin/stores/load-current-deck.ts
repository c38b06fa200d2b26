import { ApiError, type HttpClient } from '#core/web';
import type { ContentDeck, getTourContent } from '../../../contract/api/tour-content.ts';

/**
 * Loads the current deck after a conflict. Undefined for other failures, and if the deck was deleted.
 *
 * @throws ApiError
 */
export async function loadCurrentDeck(
  failure: unknown,
  http: HttpClient,
  location: string,
  { uid, version }: ContentDeck,
): Promise<ContentDeck | undefined> {
  if (!(failure instanceof ApiError) || failure.status !== 409) return undefined;
  const currentDeck = failure.body?.current as ContentDeck | undefined;
  if (currentDeck?.uid === uid) return currentDeck;
  const { decks } = await http.call<typeof getTourContent>('GET', '/api/tour-content/:location', {
    params: { location },
  });
  // An unchanged deck is omitted: the request was refused for another reason.
  return decks.find((deck) => deck.uid === uid && deck.version !== version);
}
