import { readFile } from 'node:fs/promises';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';
import { assertPicture } from './assert-picture.ts';
import { createDecoder, reportDamage } from './equirectangular-image.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface ResizeOptions extends PictureSize {
  /** `cover` crops to exactly this size; `inside` keeps the shape and enlarges nothing. */
  readonly fit: 'cover' | 'inside';
  /** Smaller pictures are refused. */
  readonly min: PictureSize;
}

const webpQuality = 85;

/**
 * Converts an uploaded picture to WebP: upright, in sRGB and without metadata such as the location of a photo.
 *
 * @throws `invalidRequest` with a readable message, as `assertPicture`, and for a picture that is too small
 */
export async function resizePicture(file: string, { width, height, fit, min }: ResizeOptions): Promise<Buffer> {
  await assertPicture(file);
  const source = await readFile(file);
  const { autoOrient: size } = await createDecoder(source).metadata();
  if (size.width < min.width || size.height < min.height)
    throw invalidRequest(
      coreRefusal('core.refused.pictureSmall', {
        width: size.width,
        height: size.height,
        minWidth: min.width,
        minHeight: min.height,
      }),
    );
  return reportDamage(() =>
    createDecoder(source)
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .webp({ quality: webpQuality })
      .toBuffer(),
  );
}
