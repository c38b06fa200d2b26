import { readFile } from 'node:fs/promises';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';
import { createPicturePipeline, maxPictureWidth, maxRatioError, pictureFormats } from './picture-pipeline.ts';

/** The minimum width in pixels. */
const minWidth = 1024;

export interface EquirectangularImage {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp';
  /** The size after applying the EXIF orientation. */
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the header of a JPEG, PNG or WebP with a whole sphere: twice as wide as high (within 2 %), 1,024 to 12,288
 * pixels wide. Does not decode the pixels, so it accepts truncated files.
 *
 * @throws `invalidRequest` with a readable message
 */
export async function openEquirectangular(source: string | Uint8Array): Promise<EquirectangularImage> {
  const bytes =
    typeof source === 'string'
      ? await readFile(source)
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length === 0) throw createUnreadableError();
  const metadata = await createPicturePipeline(bytes)
    .metadata()
    .catch((error: unknown) => {
      throw /pixel limit/.test(String(error))
        ? invalidRequest(coreRefusal('core.refused.picturePixels', { widest: maxPictureWidth }))
        : createUnreadableError();
    });
  if (!pictureFormats.has(metadata.format)) throw createUnreadableError();
  const { width, height } = metadata.autoOrient;
  if (Math.abs(width / height - 2) > 2 * maxRatioError) {
    throw invalidRequest(coreRefusal('core.refused.pictureShape', { width, height }));
  }
  if (width < minWidth || width > maxPictureWidth) {
    throw invalidRequest(
      coreRefusal('core.refused.pictureWidth', { width, narrowest: minWidth, widest: maxPictureWidth }),
    );
  }
  return { bytes, format: metadata.format as EquirectangularImage['format'], width, height };
}

function createUnreadableError(): Error {
  return invalidRequest(coreRefusal('core.refused.pictureUnreadable'));
}
