import sharp from 'sharp';
import { dotProduct, toDirection, type Point3 } from '#core';
import { computeCameraAxes, samplePanorama, type CameraTilt } from '#core/server';

const thumbnailSize = { width: 720, height: 480 } as const;
/** Vertical field of view, degrees. */
const fov = 58;
/** Larger panoramas are scaled down to this width, pixels. The thumbnail needs no higher resolution. */
const maxPanoramaWidth = 3072;

/**
 * Creates a small perspective JPEG of the panorama in a direction (degrees). `heading` is the direction of the
 * panorama's centre, `pitch` and `roll` are the tilt of its camera.
 */
export async function createThumbnail(
  panorama: Uint8Array,
  { heading, ...cameraTilt }: CameraTilt & { readonly heading: number },
  { pan, tilt }: { readonly pan: number; readonly tilt: number },
): Promise<Buffer> {
  const { data, info } = await sharp(panorama, { autoOrient: true })
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(maxPanoramaWidth, maxPanoramaWidth / 2, { fit: 'fill', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const source = { pixels: data, width: info.width, height: info.height };
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
  const pixels = Buffer.alloc(thumbnailSize.width * thumbnailSize.height * 3);
  for (let row = 0; row < thumbnailSize.height; row++) {
    const v = halfHeight * (1 - (2 * (row + 0.5)) / thumbnailSize.height);
    for (let column = 0; column < thumbnailSize.width; column++) {
      const h = (halfHeight * (2 * (column + 0.5) - thumbnailSize.width)) / thumbnailSize.height;
      // The three axes are perpendicular unit vectors.
      const scale = 1 / Math.sqrt(1 + h * h + v * v);
      samplePanorama(
        source,
        scale * (forward[0] + h * right[0] + v * up[0]),
        scale * (forward[1] + h * right[1] + v * up[1]),
        scale * (forward[2] + h * right[2] + v * up[2]),
        pixels,
        3 * (row * thumbnailSize.width + column),
      );
    }
  }
  return sharp(pixels, { raw: { ...thumbnailSize, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
