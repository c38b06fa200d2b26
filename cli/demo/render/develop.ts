import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import sharp from 'sharp';
import { denoise } from './denoise.ts';
import type { Picture } from './pictures.ts';
import { readExr, stackImages, type Exr } from './read-exr.ts';
import { daylight, toneMap } from './tone-map.ts';

/**
 * Denoises a picture from Blender (its bands from top to bottom), applies the tone map, and writes a JPEG within its
 * size limit.
 */
export async function developPicture(exrFiles: readonly string[], picture: Picture, file: string): Promise<void> {
  const bands: Exr[] = [];
  for (const exrFile of exrFiles) bands.push(readExr(await readFile(exrFile)));
  const exr = stackImages(bands);
  if (exr.width !== picture.width || exr.height !== picture.height)
    throw new Error(
      `${exrFiles.join(', ')} have ${exr.width} x ${exr.height} pixels, but ${picture.file} needs ${picture.width} x ` +
        `${picture.height}. Delete them and render again.`,
    );
  const bytes = toneMap(
    denoise(exr, picture.kind === 'PANORAMA', picture.samples < 16),
    picture.kind === 'MAP' ? { ...daylight, shadeLift: 0.45 } : daylight,
  );
  await mkdir(dirname(file), { recursive: true });
  for (let quality = picture.quality; ; quality -= 3) {
    const jpeg = await sharp(bytes, { raw: { width: exr.width, height: exr.height, channels: 3 } })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer();
    if (jpeg.length > picture.maxBytes && quality > 50) continue;
    await writeFile(file, jpeg);
    return;
  }
}
