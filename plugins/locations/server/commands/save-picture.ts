import {
  pictureTypes,
  removeOnFailure,
  resizePicture,
  type CallAuthor,
  type FileStore,
  type ReceivedUpload,
  type ResizeOptions,
} from '#core/server';
import type { PicturesSaved, PictureKind } from '../../contract/index.ts';
import { pictureSizes } from '../../contract/picture-kinds.ts';
import { changePictures, type PictureContext } from './picture-changes.ts';

/** Types and size of an uploaded picture. */
export const pictureUpload = { accept: pictureTypes, maximumBytes: 20 * 1024 * 1024 };

export interface PictureFileTarget {
  readonly location: string;
  readonly kind: PictureKind;
  readonly version: number;
}

const minSize = { width: 250, height: 250 };
const sizes: Readonly<Record<PictureKind, ResizeOptions>> = {
  icon: { ...pictureSizes.icon, fit: 'cover', min: minSize },
  navigationImage: { ...pictureSizes.navigationImage, fit: 'inside', min: minSize },
};
const columnByKind = { icon: 'icon', navigationImage: 'navigation_image' } as const;

/**
 * Stores a picture in the size that screens show, and returns the id of the file.
 *
 * @throws `invalidRequest` (400) like `resizePicture`
 */
export async function storePicture(
  files: Pick<FileStore, 'put'>,
  { location, kind }: Pick<PictureFileTarget, 'location' | 'kind'>,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<string> {
  const content = await resizePicture(path, sizes[kind]);
  const audience = { kind: 'location', location } as const;
  const newFile = { name: `${name.replace(/\.[^.]*$/, '')}.webp`, mediaType: 'image/webp', audience };
  return (await files.put(newFile, content)).id;
}

/**
 * Saves the picture of an upload in the size that screens show.
 *
 * @throws `invalidRequest` (400) like `resizePicture`; `versionConflict` (409) with the current pictures
 */
export async function savePicture(
  context: PictureContext,
  author: CallAuthor,
  target: PictureFileTarget,
  { files: [received] }: ReceivedUpload,
): Promise<PicturesSaved> {
  const id = await storePicture(context.files, target, received!);
  return removeOnFailure(context.files, [id], () =>
    changePictures(context, author, target, 'locations.pictureSaved', () => ({ [columnByKind[target.kind]]: id })),
  );
}

/** @throws `versionConflict` (409) with the current pictures */
export const removePicture = (
  context: PictureContext,
  author: CallAuthor,
  target: PictureFileTarget,
): Promise<PicturesSaved> =>
  changePictures(context, author, target, 'locations.pictureRemoved', () => ({ [columnByKind[target.kind]]: null }));
