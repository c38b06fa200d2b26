import sharp, { type Sharp } from 'sharp';
import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { ServerError } from '../kernel/server-error.ts';

/** The maximum width of a panorama in pixels. Current cameras have up to 72 megapixels (12,000 pixels wide). */
export const maxPictureWidth = 12_288;
/** The accepted relative deviation of a panorama's width / height from 2. */
export const maxRatioError = 0.02;
export const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

/**
 * Creates a sharp pipeline that reads a picture upright. It refuses truncated files and more pixels than the largest
 * panorama has. With `keepsRawColours` it does not apply colour profiles.
 */
export function createPicturePipeline(source: Buffer | string, keepsRawColours = false): Sharp {
  return sharp(source, {
    limitInputPixels: Math.ceil(maxPictureWidth * (maxPictureWidth / 2) * (1 + maxRatioError)),
    failOn: 'warning',
    autoOrient: true,
    ignoreIcc: keepsRawColours,
  });
}

/**
 * Runs a function that decodes pixels.
 *
 * @throws `invalidRequest` that the file is damaged, if the function rejects
 */
export async function decodeOrRefuse<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw new ServerError(400, errorCodes.invalidRequest, coreRefusal('core.refused.pictureDamaged'), { cause: error });
  }
}
