import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { invalidRequest, ServerError } from '../kernel/server-error.ts';

/** The accepted widths in pixels. Current cameras have up to 72 megapixels (12,000 pixels wide). */
const minWidth = 1024;
export const maxPictureWidth = 12_288;
/** The accepted relative deviation of width / height from 2. */
const maxRatioError = 0.02;
export const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

export interface EquirectangularImage {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp';
  /** The size after applying the EXIF orientation. */
  readonly width: number;
  readonly height: number;
}

/**
 * Creates a decoder that refuses truncated files and more pixels than the widest panorama has. With `exact` it does not
 * apply colour profiles.
 */
export function createDecoder(source: Buffer | string, exact = false): Sharp {
  return sharp(source, {
    limitInputPixels: Math.ceil(maxPictureWidth * (maxPictureWidth / 2) * (1 + maxRatioError)),
    failOn: 'warning',
    autoOrient: true,
    ignoreIcc: exact,
  });
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
  const metadata = await createDecoder(bytes)
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

/** Runs a step that decodes pixels, and reports its failure as damage of the file. */
export async function reportDamage<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new ServerError(400, errorCodes.invalidRequest, coreRefusal('core.refused.pictureDamaged'), { cause: error });
  }
}

function createUnreadableError(): Error {
  return invalidRequest(coreRefusal('core.refused.pictureUnreadable'));
}
