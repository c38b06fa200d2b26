import sharp from 'sharp';
import { removeOnFailure, resizePicture, type CallAuthor, type ReceivedUpload } from '#core/server';
import { applyDeckChange, type DeckTarget } from './deck-changes.ts';
import { findEntity, type ContentContext } from './content-context.ts';

/** Fields of the upload form. */
export const planUpload = { accept: ['image/png', 'image/jpeg', 'image/webp'], maximumBytes: 50 * 1024 * 1024 };

const maxEdgePx = 8192;
const sizeLimits = { width: maxEdgePx, height: maxEdgePx, fit: 'inside', min: { width: 64, height: 64 } } as const;
/** Images whose proportions differ by less are taken as the same plan in another resolution. */
const maxShapeDifference = 0.005;

/**
 * Saves the plan of a deck, and keeps its placement if the image has the same proportions.
 *
 * @throws `invalidRequest` (400) as `resizePicture`; `changedMeanwhile` (409) with the current deck
 */
export async function savePlan(
  context: ContentContext,
  author: CallAuthor,
  target: DeckTarget,
  version: number,
  { files: [received] }: ReceivedUpload,
): Promise<{ readonly change: string | null }> {
  const { location } = await findEntity(context, 'deck', target.location, target.deck);
  const content = await resizePicture(received!.path, sizeLimits);
  const { width, height } = await sharp(content).metadata();
  const { id } = await context.files.put(
    {
      name: `${received!.name.replace(/\.[^.]*$/, '')}.webp`,
      mediaType: 'image/webp',
      audience: { kind: 'location', location },
    },
    content,
  );
  return removeOnFailure(context.files, [id], () =>
    applyDeckChange(context, author, target, version, 'tour.planSaved', (row) => {
      const image = { plan_file: id, plan_width: width, plan_height: height };
      const { plan_width: formerWidth, plan_height: formerHeight, plan_scale: scale } = row;
      if (formerWidth === null || formerHeight === null || scale === null) return image;
      const isSameShape = Math.abs(width / height / (formerWidth / formerHeight) - 1) < maxShapeDifference;
      return isSameShape
        ? { ...image, plan_scale: (scale * formerWidth) / width }
        : { ...image, plan_x: null, plan_y: null, plan_scale: null, plan_heading: null, plan_points: '[]' };
    }),
  );
}
