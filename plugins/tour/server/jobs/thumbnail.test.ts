import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createThumbnail } from './thumbnail.ts';

/** A panorama whose red grows from left to right, and whose green grows from top to bottom, each from 0 to 255. */
async function buildPanorama(width: number): Promise<Buffer> {
  const height = width / 2;
  const pixels = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = 3 * (row * width + column);
      pixels[at] = (255 * (column + 0.5)) / width;
      pixels[at + 1] = (255 * (row + 0.5)) / height;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/**
 * Pan and tilt (degrees) that the picture shows around a pixel, by the colours of the panorama. The mean of a square of
 * 96 pixels, as far as it is in the picture: the JPEG encoding changes the colours of single blocks by some degrees.
 */
async function readDirection(thumbnail: Buffer, column: number, row: number) {
  const { data, info } = await sharp(thumbnail).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([720, 480]);
  const left = Math.max(0, column - 48);
  const top = Math.max(0, row - 48);
  const square = { left, top, width: Math.min(720, column + 48) - left, height: Math.min(480, row + 48) - top };
  const { channels } = await sharp(await sharp(data, { raw: info }).extract(square).png().toBuffer()).stats();
  return { pan: (channels[0]!.mean / 255) * 360 - 180, tilt: 90 - (channels[1]!.mean / 255) * 180 };
}

const level = { heading: 0, pitch: 0, roll: 0 };
const closeTo = (pan: number, tilt: number) => ({ pan: expect.closeTo(pan, -0.8), tilt: expect.closeTo(tilt, -0.8) });

describe('a thumbnail', () => {
  it.each([1024, 4096])('shows the direction at its centre, from a panorama %i pixels wide', async (width) => {
    const image = await createThumbnail(await buildPanorama(width), { ...level, heading: 30 }, { pan: 120, tilt: 20 });
    expect(await readDirection(image, 360, 240)).toEqual(closeTo(90, 20));
  });

  it('is 58 degrees high and in perspective', async () => {
    const image = await createThumbnail(await buildPanorama(1024), level, { pan: 10, tilt: 0 });
    // 200 of 240 rows from the centre: the tangent is 200 / 240 of that of 29 degrees. It is the same for columns.
    expect(await readDirection(image, 360, 40)).toEqual(closeTo(10, 24.8));
    expect(await readDirection(image, 360, 440)).toEqual(closeTo(10, -24.8));
    expect(await readDirection(image, 60, 240)).toEqual(closeTo(10 - 34.7, 0));
    expect(await readDirection(image, 660, 240)).toEqual(closeTo(10 + 34.7, 0));
  });

  it('levels the picture of a tilted camera', async () => {
    const image = await createThumbnail(await buildPanorama(1024), { ...level, pitch: 12 }, { pan: 0, tilt: 12 });
    expect(await readDirection(image, 360, 240)).toEqual(closeTo(0, 0));
  });
});
