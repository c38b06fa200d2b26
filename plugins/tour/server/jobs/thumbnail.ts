import sharp from 'sharp';
import { dotProduct, toDirection, toPanTilt, type Point3 } from '#core';
import { computeCameraAxes, type CameraTilt } from '#core/server';

const size = { width: 720, height: 480 } as const;
/** Vertical field of view, degrees. */
const fov = 58;
/** Width of the sampled panorama in pixels, so that its resolution is about that of the thumbnail. */
const panoramaWidth = 3072;

/**
 * Creates a small perspective JPEG of the panorama in a direction (degrees). `heading` is the direction of the
 * panorama's centre, `pitch` and `roll` are the tilt of its camera.
 */
export async function createThumbnail(
  panorama: Uint8Array,
  { heading, ...cameraTilt }: CameraTilt & { readonly heading: number },
  { pan, tilt }: { readonly pan: number; readonly tilt: number },
): Promise<Buffer> {
  const panoramaHeight = panoramaWidth / 2;
  const source = await sharp(panorama, { autoOrient: true })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(panoramaWidth, panoramaHeight, { fit: 'fill' })
    .raw()
    .toBuffer();
  const axes = computeCameraAxes(cameraTilt);
  const toCamera = (direction: Point3): Point3 => [
    dotProduct(direction, axes[0]),
    dotProduct(direction, axes[1]),
    dotProduct(direction, axes[2]),
  ];
  const forward = toCamera(toDirection(pan - heading, tilt));
  const right = toCamera(toDirection(pan - heading + 90, 0));
  const up = toCamera(toDirection(pan - heading, tilt + 90));
  const halfHeight = Math.tan((fov * Math.PI) / 360);
  const pixels = Buffer.alloc(size.width * size.height * 3);
  for (let row = 0; row < size.height; row++) {
    const v = halfHeight * (1 - (2 * (row + 0.5)) / size.height);
    for (let column = 0; column < size.width; column++) {
      const h = (halfHeight * (2 * (column + 0.5) - size.width)) / size.height;
      const ray: Point3 = [
        forward[0] + h * right[0] + v * up[0],
        forward[1] + h * right[1] + v * up[1],
        forward[2] + h * right[2] + v * up[2],
      ];
      const direction = toPanTilt(ray);
      const x = Math.floor(((((direction.pan / 360 + 0.5) % 1) + 1) % 1) * panoramaWidth);
      const y = Math.min(panoramaHeight - 1, Math.floor(((90 - direction.tilt) / 180) * panoramaHeight));
      // Not `copy`: one call for each pixel takes longer than the rest of the function.
      const target = 3 * (row * size.width + column);
      const from = 3 * (y * panoramaWidth + x);
      pixels[target] = source[from]!;
      pixels[target + 1] = source[from + 1]!;
      pixels[target + 2] = source[from + 2]!;
    }
  }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
