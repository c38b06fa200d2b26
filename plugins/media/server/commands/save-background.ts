import { invalidRequest, removeOnFailure, type ChangeAuthor, type FileAudience, type ReceivedFile } from '#core/server';
import { maxBackgrounds, type BackgroundsSaved } from '#plugins/media';
import { mediaRefusal } from '../../contract/errors.ts';
import type { BackgroundSubject } from '../queries/backgrounds.ts';
import type { StoredImage } from '../tables.ts';
import { changeBackgrounds, describeSubject, type BackgroundContext } from './change-backgrounds.ts';
import { isVideo, storeMediaFile } from './store-media-file.ts';

export interface UploadTarget {
  readonly version: number;
  /** Id of the file that it replaces. Default: it is added after the last one. */
  readonly replaces?: string | undefined;
}

/**
 * Saves an uploaded background without its metadata. Everybody can read the files of the login screen. Other files can
 * be read by people with access to the location.
 *
 * @throws `invalidRequest` (400) if the file is damaged or too small, or if there are five already; the errors of
 *   `changeBackgrounds`
 */
export async function saveBackground(
  context: BackgroundContext,
  author: ChangeAuthor,
  subject: BackgroundSubject,
  { version, replaces }: UploadTarget,
  receivedFile: ReceivedFile,
): Promise<BackgroundsSaved> {
  await describeSubject(context, subject);
  const audience: FileAudience =
    subject.kind === 'LOGIN' ? { kind: 'public' } : { kind: 'location', location: subject.location };
  const { id } = await storeMediaFile(context.files, receivedFile, audience);
  const image: StoredImage = { file: id, name: receivedFile.name, video: isVideo(receivedFile) };
  return removeOnFailure(context.files, [id], () =>
    changeBackgrounds(context, author, subject, version, (images) => addOrReplaceImage(images, image, replaces)),
  );
}

/** Saves the order of images. Images that are not in the list are removed. Unknown files are ignored. */
export const saveImageList = (
  context: BackgroundContext,
  author: ChangeAuthor,
  subject: BackgroundSubject,
  { files, version }: { readonly files: readonly string[]; readonly version: number },
): Promise<BackgroundsSaved> =>
  changeBackgrounds(context, author, subject, version, (images) =>
    [...new Set(files)].flatMap((file) => images.find((image) => image.file === file) ?? []),
  );

function addOrReplaceImage(
  images: readonly StoredImage[],
  image: StoredImage,
  replaces: string | undefined,
): readonly StoredImage[] {
  const isReplaced = images.some(({ file }) => file === replaces);
  const newImages = isReplaced
    ? images.map((existing) => (existing.file === replaces ? image : existing))
    : [...images, image];
  if (newImages.length > maxBackgrounds)
    throw invalidRequest(mediaRefusal('media.refused.backgroundsFull', { count: maxBackgrounds }));
  if (newImages.length > 1 && newImages.some(({ video }) => video))
    throw invalidRequest(mediaRefusal('media.refused.videoAlone'));
  return newImages;
}
