import { pictureTypes, removeOnFailure, resizePicture, type ReceivedUpload, type ResizeOptions } from '#core/server';
import type { PicturesSaved, PictureKind } from '../../contract/index.ts';
import { changePictures, type PictureAuthor, type PictureContext } from './picture-changes.ts';

/** Fields of the upload form. */
export const pictureUpload = { accept: pictureTypes, maximumBytes: 20 * 1024 * 1024 };

export interface PictureTarget {
  readonly location: string;
  readonly kind: PictureKind;
  readonly version: number;
}

const min = { width: 250, height: 250 };
const sizes: Readonly<Record<PictureKind, ResizeOptions>> = {
  icon: { width: 250, height: 250, fit: 'cover', min },
  navigationImage: { width: 1980, height: 1080, fit: 'inside', min },
};
const columns = { icon: 'icon', navigationImage: 'navigation_image' } as const;

/**
 * Saves the picture of an upload in the size that screens show.
 *
 * @throws `invalidRequest` (400) as `resizePicture`; `changedMeanwhile` (409) with the present pictures
 */
export async function savePicture(
  context: PictureContext,
  author: PictureAuthor,
  target: PictureTarget,
  { files: [received] }: ReceivedUpload,
): Promise<PicturesSaved> {
  const { location, kind } = target;
  const content = await resizePicture(received!.path, sizes[kind]);
  const { id } = await context.files.put(
    {
      name: `${received!.name.replace(/\.[^.]*$/, '')}.webp`,
      mediaType: 'image/webp',
      audience: { kind: 'location', location },
    },
    content,
  );
  return removeOnFailure(context.files, [id], () =>
    changePictures(context, author, target, 'locations.pictureSaved', () => ({ [columns[kind]]: id })),
  );
}

/** @throws `changedMeanwhile` (409) with the present pictures */
export const removePicture = (
  context: PictureContext,
  author: PictureAuthor,
  target: PictureTarget,
): Promise<PicturesSaved> =>
  changePictures(context, author, target, 'locations.pictureRemoved', () => ({ [columns[target.kind]]: null }));
