import { clearVideoMetadata, resizePicture, type FileAudience, type FileStore, type ReceivedFile } from '#core/server';
import { maxPictureMegabytes, maxVideoMegabytes } from '#plugins/media';

const megabyte = 1024 * 1024;
const drawingType = 'image/svg+xml';
const videoType = 'video/mp4';
export const pictureUpload = {
  accept: ['image/jpeg', 'image/png', drawingType],
  maximumBytes: maxPictureMegabytes * megabyte,
} as const;
export const pictureOrVideoUpload = {
  accept: [...pictureUpload.accept, videoType],
  maximumBytes: maxVideoMegabytes * megabyte,
} as const;

/** The largest screens that are common. */
export const largestPicture = { width: 2560, height: 1440, fit: 'inside', min: { width: 640, height: 360 } } as const;

export const isVideo = ({ mediaType }: Pick<ReceivedFile, 'mediaType'>): boolean => mediaType === videoType;

/**
 * Stores an uploaded picture, drawing or video without what it tells about its origin. A drawing is harmless already.
 *
 * @throws `invalidRequest` (400) if it is damaged or too small
 */
export async function storeMediaFile(
  files: FileStore,
  receivedFile: ReceivedFile,
  audience: FileAudience,
): Promise<{ readonly id: string }> {
  const { mediaType, name } = receivedFile;
  if (isVideo(receivedFile)) await clearVideoMetadata(receivedFile.path);
  if (isVideo(receivedFile) || mediaType === drawingType)
    return files.put({ name, mediaType, audience }, receivedFile.stream());
  const content = await resizePicture(receivedFile.path, largestPicture);
  return files.put({ name: `${name.replace(/\.[^.]*$/, '')}.webp`, mediaType: 'image/webp', audience }, content);
}
