import { versionConflict, invalidRequest, notFound, type ChangeAuthor, type ServerContext } from '#core/server';
import type { BackgroundsSaved } from '#plugins/media';
import { mediaRefusal } from '../../contract/errors.ts';
import { loadBackgrounds, toBackgrounds, toSubjectKey, type BackgroundSubject } from '../queries/backgrounds.ts';
import type { MediaTables, StoredImage } from '../tables.ts';

export type BackgroundContext = Pick<ServerContext<MediaTables>, 'tables' | 'files' | 'locations' | 'changes'>;

const actions = {
  LOGIN: 'media.loginBackgroundsSaved',
  LOCATION: 'media.locationBackgroundsSaved',
  TOUR: 'media.tourBackgroundsSaved',
} as const;

/**
 * Returns the name and location by which the audit log shows a subject. The name of the login screen is a message id.
 *
 * @throws `notFound` (404) for an unknown location; `invalidRequest` (400) for the screen of a location that is not a
 *   site
 */
export async function describeSubject(
  { locations }: Pick<BackgroundContext, 'locations'>,
  subject: BackgroundSubject,
): Promise<{ readonly name: string; readonly location: string }> {
  if (subject.kind === 'LOGIN') return { name: 'media.backgrounds.of.LOGIN', location: '' };
  const location = await locations.find(subject.location);
  if (!location) throw notFound('This location');
  if (subject.kind === 'LOCATION' && location.locationType !== 'PRIMARY_LOCATION')
    throw invalidRequest(mediaRefusal('media.refused.notASite', { name: location.name }));
  return { name: location.name, location: location.uid };
}

/**
 * Replaces the backgrounds of a subject by the result of `updateImages`. Records no change if the result is equal.
 *
 * @throws the errors of `describeSubject`; `changedMeanwhile` (409) with the current backgrounds if their version is
 *   not `version`
 */
export async function changeBackgrounds(
  context: BackgroundContext,
  author: ChangeAuthor,
  subject: BackgroundSubject,
  version: number,
  updateImages: (images: readonly StoredImage[]) => readonly StoredImage[],
): Promise<BackgroundsSaved> {
  const { changes, files } = context;
  const { name, location } = await describeSubject(context, subject);
  const key = toSubjectKey(subject);
  const { change } = await changes.apply(
    author,
    { action: actions[subject.kind], subject: key, name, location },
    async ({ tables, lockAndRecord }) => {
      // Insert the row first: an undo then resets it instead of deleting it, so its version keeps increasing.
      await tables
        .insertInto('background')
        .values({ subject: key, location: location === '' ? null : location, version: 0 })
        .onConflict((builder) => builder.column('subject').doNothing())
        .execute();
      await lockAndRecord('background', 'subject', [key]);
      const row = await tables
        .selectFrom('background')
        .select(['images', 'version'])
        .where('subject', '=', key)
        .executeTakeFirstOrThrow();
      if (row.version !== version)
        throw versionConflict(mediaRefusal('media.refused.backgroundsChanged'), toBackgrounds(row, files));
      await tables
        .updateTable('background')
        .set({ images: JSON.stringify(updateImages(row.images)) })
        .where('subject', '=', key)
        .execute();
    },
  );
  return { change, backgrounds: await loadBackgrounds(context, subject) };
}
