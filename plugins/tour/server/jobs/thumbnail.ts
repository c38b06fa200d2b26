import sharp from 'sharp';
import { toDirection, toPanTilt, type Point3 } from '#core';

const size = { width: 720, height: 480 } as const;
/** Vertical field of view, degrees. */
const fov = 58;
/** Width of the sampled panorama, pixels: about the resolution of the thumbnail. */
const across = 3072;

/** A small JPEG of the panorama in a direction (degrees). `heading` is the direction of the panorama's centre. */
export async function createThumbnail(
  panorama: Uint8Array,
  heading: number,
  { pan, tilt }: { readonly pan: number; readonly tilt: number },
): Promise<Buffer> {
  const down = across / 2;
  const source = await sharp(panorama, { autoOrient: true })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(across, down, { fit: 'fill' })
    .raw()
    .toBuffer();
  const ahead = toDirection(pan, tilt);
  const right = toDirection(pan + 90, 0);
  const up = toDirection(pan, tilt + 90);
  const half = Math.tan((fov * Math.PI) / 360);
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let row = 0; row < size.height; row++) {
    const v = half * (1 - (2 * (row + 0.5)) / size.height);
    for (let column = 0; column < size.width; column++) {
      const h = (half * (2 * (column + 0.5) - size.width)) / size.height;
      const ray: Point3 = [
        ahead[0] + h * right[0] + v * up[0],
        ahead[1] + h * right[1] + v * up[1],
        ahead[2] + h * right[2] + v * up[2],
      ];
      const seen = toPanTilt(ray);
      const x = Math.floor((((((seen.pan - heading) / 360 + 0.5) % 1) + 1) % 1) * across);
      const y = Math.min(down - 1, Math.floor(((90 - seen.tilt) / 180) * down));
      // Three assignments: calling `copy` for each pixel takes longer than the rest of the function.
      const to = 3 * (row * size.width + column);
      const from = 3 * (y * across + x);
      pixels[to] = source[from]!;
      pixels[to + 1] = source[from + 1]!;
      pixels[to + 2] = source[from + 2]!;
    }
  }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
