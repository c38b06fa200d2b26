import { invalidRequest, removeOnFailure, type ChangeAuthor, type FileAudience, type ReceivedFile } from '#core/server';
import { maxBackgrounds, type BackgroundsSaved } from '#plugins/media';
import { mediaRefusal } from '../../contract/errors.ts';
import type { BackgroundSubject } from '../queries/backgrounds.ts';
import type { StoredImage } from '../tables.ts';
import { changeBackgrounds, describeSubject, type BackgroundContext } from './change-backgrounds.ts';
import { isVideo, storeMediaFile } from './store-media-file.ts';

export interface UploadTarget {
  readonly version: number;
  /** Id of the file whose place it takes. Default: the place after the last one. */
  readonly replaces?: string | undefined;
}

/**
 * Saves an uploaded background, without what it tells about its origin. The file store can be read by everybody for the
 * login screen, and by people with access to the location for others.
 *
 * @throws `invalidRequest` (400) if the file is damaged or too small, or if there are five already; as
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
    changeBackgrounds(context, author, subject, version, (images) => placeImage(images, image, replaces)),
  );
}

/** Sets the order of backgrounds. Those that are left out are removed, unknown ones ignored. */
export const arrangeImages = (
  context: BackgroundContext,
  author: ChangeAuthor,
  subject: BackgroundSubject,
  { files, version }: { readonly files: readonly string[]; readonly version: number },
): Promise<BackgroundsSaved> =>
  changeBackgrounds(context, author, subject, version, (images) =>
    [...new Set(files)].flatMap((file) => images.find((image) => image.file === file) ?? []),
  );

function placeImage(
  images: readonly StoredImage[],
  image: StoredImage,
  replaces: string | undefined,
): readonly StoredImage[] {
  const isReplaced = images.some(({ file }) => file === replaces);
  const next = isReplaced ? images.map((each) => (each.file === replaces ? image : each)) : [...images, image];
  if (next.length > maxBackgrounds)
    throw invalidRequest(mediaRefusal('media.refused.backgroundsFull', { count: maxBackgrounds }));
  if (next.length > 1 && next.some(({ video }) => video))
    throw invalidRequest(mediaRefusal('media.refused.videoAlone'));
  return next;
}
