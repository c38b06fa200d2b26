import {
  clearVideoMetadata,
  invalidRequest,
  removeOnFailure,
  resizePicture,
  type ChangeAuthor,
  type FileAudience,
  type NewFile,
  type ReceivedFile,
  type UploadRules,
} from '#core/server';
import { maxBackgrounds, maxPictureMegabytes, maxVideoMegabytes, type BackgroundsSaved } from '#plugins/media';
import { mediaRefusal } from '../../contract/errors.ts';
import type { BackgroundSubject } from '../queries/backgrounds.ts';
import type { StoredImage } from '../tables.ts';
import { changeBackgrounds, describeSubject, type BackgroundContext } from './change-backgrounds.ts';

const megabyte = 1024 * 1024;
const drawingType = 'image/svg+xml';
const videoType = 'video/mp4';
export const backgroundUpload: UploadRules = {
  accept: ['image/jpeg', 'image/png', drawingType],
  maximumBytes: maxPictureMegabytes * megabyte,
};
export const loginBackgroundUpload: UploadRules = {
  accept: [...backgroundUpload.accept, videoType],
  maximumBytes: maxVideoMegabytes * megabyte,
};

/** The largest screens that are common. */
const size = { width: 2560, height: 1440, fit: 'inside', min: { width: 640, height: 360 } } as const;

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
  received: ReceivedFile,
): Promise<BackgroundsSaved> {
  await describeSubject(context, subject);
  const audience: FileAudience =
    subject.kind === 'LOGIN' ? { kind: 'public' } : { kind: 'location', location: subject.location };
  const { id } = await storeBackground(context, received, audience);
  const image: StoredImage = { file: id, name: received.name, video: received.mediaType === videoType };
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

async function storeBackground(
  { files }: Pick<BackgroundContext, 'files'>,
  received: ReceivedFile,
  audience: FileAudience,
): Promise<{ readonly id: string }> {
  const { mediaType, name } = received;
  const file: NewFile = { name, mediaType, audience };
  if (mediaType === videoType) await clearVideoMetadata(received.path);
  if (mediaType === videoType || mediaType === drawingType) return files.put(file, received.stream());
  const content = await resizePicture(received.path, size);
  return files.put({ ...file, name: `${name.replace(/\.[^.]*$/, '')}.webp`, mediaType: 'image/webp' }, content);
}

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
