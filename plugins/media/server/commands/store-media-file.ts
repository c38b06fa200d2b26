import { clearVideoMetadata, resizePicture, type FileAudience, type FileStore, type ReceivedFile } from '#core/server';
import { maxPictureMegabytes, maxVideoMegabytes } from '#plugins/media';

const megabyte = 1024 * 1024;
const svgType = 'image/svg+xml';
const videoType = 'video/mp4';
export const pictureUpload = {
  accept: ['image/jpeg', 'image/png', svgType],
  maximumBytes: maxPictureMegabytes * megabyte,
} as const;
export const pictureOrVideoUpload = {
  accept: [...pictureUpload.accept, videoType],
  maximumBytes: maxVideoMegabytes * megabyte,
} as const;

/** The maximum fits the largest common screens. */
export const pictureLimits = { width: 2560, height: 1440, fit: 'inside', min: { width: 640, height: 360 } } as const;

export const isVideo = ({ mediaType }: Pick<ReceivedFile, 'mediaType'>): boolean => mediaType === videoType;

/**
 * Stores an uploaded photo, SVG or video without its metadata. The upload has already sanitized an SVG.
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
  if (isVideo(receivedFile) || mediaType === svgType)
    return files.put({ name, mediaType, audience }, receivedFile.stream());
  const content = await resizePicture(receivedFile.path, pictureLimits);
  return files.put({ name: `${name.replace(/\.[^.]*$/, '')}.webp`, mediaType: 'image/webp', audience }, content);
}
