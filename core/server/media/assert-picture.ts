import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';
import { createPicturePipeline, decodeOrRefuse, pictureFormats, maxPictureWidth } from './picture-pipeline.ts';

/** Media types of pictures that people may upload. */
export const pictureTypes: readonly string[] = [...pictureFormats].map((format) => `image/${format}`);

/**
 * Checks an uploaded picture as `measurePicture`.
 *
 * @throws as `measurePicture`
 */
export async function assertPicture(file: string): Promise<void> {
  await measurePicture(file);
}

/**
 * Checks an uploaded picture, decodes its pixels once, and returns its upright size in pixels, and whether it has
 * metadata such as the location of a photo.
 *
 * @throws `invalidRequest` with a readable message if the file is not a JPEG, PNG or WebP, exceeds the largest
 *   panorama, or is damaged
 */
export async function measurePicture(
  file: string,
): Promise<{ readonly width: number; readonly height: number; readonly hasMetadata: boolean }> {
  const { format, autoOrient, exif, xmp, iptc } = await createPicturePipeline(file)
    .metadata()
    .catch((error: unknown) => {
      throw invalidRequest(
        /pixel limit/.test(String(error))
          ? coreRefusal('core.refused.picturePixels', { widest: maxPictureWidth })
          : coreRefusal('core.refused.pictureUnreadable'),
      );
    });
  if (!pictureFormats.has(format)) throw invalidRequest(coreRefusal('core.refused.pictureUnreadable'));
  await decodeOrRefuse(() => createPicturePipeline(file).resize(16, 16, { fit: 'fill' }).toBuffer());
  const hasMetadata = [exif, xmp, iptc].some((part) => part !== undefined);
  return { width: autoOrient.width, height: autoOrient.height, hasMetadata };
}
