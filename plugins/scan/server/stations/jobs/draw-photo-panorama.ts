import sharp from 'sharp';
import type { E57Image } from '../../adapters/e57/e57-description.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import { toRotation, type Rotation } from './scan-frame.ts';
import type { ScanImage } from './draw-grid.ts';

const maxWidth = 8192;
const maxFileBytes = 256 << 20;
const maxPixels = 20_000 * 10_000;

/** Returns the image of a scan; undefined if no image covers a sphere or a part of one. */
export function findPhoto(file: E57File, scan: { readonly guid: string | undefined }): E57Image | undefined {
  const spherical = file.images.filter(
    ({ projection, bytes, pixelWidth, pixelHeight }) =>
      projection === 'spherical' && bytes <= maxFileBytes && (pixelWidth ?? 0) > 0 && (pixelHeight ?? 0) > 0,
  );
  const imagesOfScan = scan.guid === undefined ? [] : spherical.filter((image) => image.scan === scan.guid);
  const unassignedImages = file.scans.length === 1 ? spherical.filter((image) => image.scan === undefined) : [];
  return [...imagesOfScan, ...unassignedImages].toSorted((a, b) => b.width - a.width)[0];
}

/**
 * Draws a level panorama with `heading` in its centre from the scanner's camera image. Pixels that the image does not
 * cover show the points of the scan. In a spherical E57 image the centre is the x axis, azimuth grows to the left and
 * elevation upwards. Returns undefined if the image is unreadable.
 */
export async function drawPhotoPanorama(
  file: E57File,
  image: E57Image,
  heading: number,
  scanImage: ScanImage,
  yieldToEventLoop: () => Promise<void>,
): Promise<{ readonly pixels: Buffer; readonly width: number } | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.readImageBytes(image)) chunks.push(chunk);
  const decodedImage = await sharp(Buffer.concat(chunks), { limitInputPixels: maxPixels, failOn: 'warning' })
    .resize({ width: maxWidth, withoutEnlargement: true })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined);
  if (!decodedImage || decodedImage.info.channels !== 3) return undefined;
  const photo: Photo = {
    pixels: decodedImage.data,
    width: decodedImage.info.width,
    height: decodedImage.info.height,
    radiansAcross: image.pixelWidth! * image.width,
    radiansDown: image.pixelHeight! * image.height,
    rotation: toRotation(image.pose),
  };
  if (!(photo.radiansAcross > 0.01 && photo.radiansDown > 0.01)) return undefined;
  const width =
    2 * Math.round(Math.min(maxWidth, Math.max(1024, (photo.width * 2 * Math.PI) / photo.radiansAcross)) / 2);
  const height = width / 2;
  const out = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    await yieldToEventLoop();
    const tilt = Math.PI * (0.5 - (y + 0.5) / height);
    const [level, up] = [Math.cos(tilt), Math.sin(tilt)];
    const scanRow =
      Math.min(scanImage.height - 1, Math.floor(((y + 0.5) / height) * scanImage.height)) * scanImage.width;
    for (let x = 0; x < width; x++) {
      const offset = 3 * (y * width + x);
      const pan = (heading * Math.PI) / 180 + ((x + 0.5) / width - 0.5) * 2 * Math.PI;
      if (drawSample(photo, Math.sin(pan) * level, Math.cos(pan) * level, up, out, offset)) continue;
      const scanOffset =
        3 * (scanRow + Math.min(scanImage.width - 1, Math.floor(((x + 0.5) / width) * scanImage.width)));
      for (let channel = 0; channel < 3; channel++) out[offset + channel] = scanImage.colors[scanOffset + channel]!;
    }
  }
  return { pixels: out, width };
}

interface Photo {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly radiansAcross: number;
  readonly radiansDown: number;
  readonly rotation: Rotation;
}

/** Writes the interpolated colour of the photo in a direction to `out`. Returns false outside of the photo. */
function drawSample(
  { pixels, width, height, radiansAcross, radiansDown, rotation: m }: Photo,
  east: number,
  north: number,
  up: number,
  out: Buffer,
  offset: number,
): boolean {
  const x = m[0] * east + m[3] * north + m[6] * up;
  const y = m[1] * east + m[4] * north + m[7] * up;
  const z = m[2] * east + m[5] * north + m[8] * up;
  const u = (0.5 - Math.atan2(y, x) / radiansAcross) * width - 0.5;
  const v = (0.5 - Math.atan2(z, Math.hypot(x, y)) / radiansDown) * height - 0.5;
  if (u < -0.5 || v < -0.5 || u > width - 0.5 || v > height - 0.5) return false;
  const isFullCircle = radiansAcross > 6.28;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const [fractionRight, fractionDown] = [u - column, v - row];
  const wrapColumn = (index: number): number =>
    isFullCircle ? (index + width) % width : Math.min(width - 1, Math.max(0, index));
  const clampRow = (index: number): number => Math.min(height - 1, Math.max(0, index));
  const [a, b, c, d] = [
    clampRow(row) * width + wrapColumn(column),
    clampRow(row) * width + wrapColumn(column + 1),
    clampRow(row + 1) * width + wrapColumn(column),
    clampRow(row + 1) * width + wrapColumn(column + 1),
  ];
  for (let channel = 0; channel < 3; channel++) {
    const above = pixels[3 * a + channel]! * (1 - fractionRight) + pixels[3 * b + channel]! * fractionRight;
    const below = pixels[3 * c + channel]! * (1 - fractionRight) + pixels[3 * d + channel]! * fractionRight;
    out[offset + channel] = Math.round(above * (1 - fractionDown) + below * fractionDown);
  }
  return true;
}
