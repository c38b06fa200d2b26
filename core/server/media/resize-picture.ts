import { readFile } from 'node:fs/promises';
import { coreRefusal } from '#core/api';
import { invalidRequest } from '../kernel/server-error.ts';
import { assertPicture } from './assert-picture.ts';
import { createPicturePipeline, decodeOrRefuse } from './picture-pipeline.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export interface ResizeOptions extends PictureSize {
  /**
   * `cover` crops to exactly this size; `inside` fits the whole picture within this size, keeps its aspect ratio and
   * never enlarges.
   */
  readonly fit: 'cover' | 'inside';
  /** Smaller pictures are refused. */
  readonly min: PictureSize;
}

const webpQuality = 85;

/**
 * Resizes an uploaded picture and converts it to WebP: upright, in sRGB and without metadata such as the location of a
 * photo.
 *
 * @throws `invalidRequest` if the picture is smaller than `min`, or if `assertPicture` refuses it
 */
export async function resizePicture(file: string, { width, height, fit, min }: ResizeOptions): Promise<Buffer> {
  await assertPicture(file);
  const source = await readFile(file);
  const { autoOrient: size } = await createPicturePipeline(source).metadata();
  if (size.width < min.width || size.height < min.height)
    throw invalidRequest(
      coreRefusal('core.refused.pictureSmall', {
        width: size.width,
        height: size.height,
        minWidth: min.width,
        minHeight: min.height,
      }),
    );
  return decodeOrRefuse(() =>
    createPicturePipeline(source)
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .webp({ quality: webpQuality })
      .toBuffer(),
  );
}
