import path from 'node:path';
import sharp from 'sharp';
import { tilePanorama } from '../../../core/server/media/tile-pyramid.ts';

/** The tiles and previews by URL path. */
export type PanoramaFiles = ReadonlyMap<string, Buffer>;

const width = 8192;
const height = 4096;
const tileSize = 512;
/** JPEG quality, as in `tilePanorama`. */
const quality = 82;

interface RawImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Builds an image of 8,192 pixels as an equirectangular pyramid (`/equirect/<level>/<column>_<row>.jpg`, `preview.jpg`)
 * and as a cube (`/cube/<level>/<face>/<column>_<row>.jpg`). Levels that are sharp on a screen of 1,280 x 720 pixels at
 * 58.7 degrees are coloured, coarser levels are grey.
 */
export async function buildPanoramaFiles(root: string): Promise<PanoramaFiles> {
  const photograph = sharp(path.join(root, 'cli', 'demo', 'rendered', 'panorama', 'HB-P03.jpg'))
    .resize(width, height, { kernel: 'lanczos3', fit: 'fill' })
    .removeAlpha();
  const { data } = await photograph
    .sharpen({ sigma: 1.2 })
    .linear([0.7, 0.7, 0.5], [70, 30, 0])
    .raw()
    .toBuffer({ resolveWithObject: true });
  const coloured: RawImage = { data, width, height };
  const luminance: [number, number, number] = [0.3, 0.59, 0.11];
  const grey: RawImage = {
    data: await toSharp(coloured).recomb([luminance, luminance, luminance]).raw().toBuffer(),
    width,
    height,
  };
  return new Map([
    ...(await buildEquirect(coloured, (tilePath) => /^[23]\//.test(tilePath))),
    ...(await buildEquirect(grey, (tilePath) => !/^[23]\//.test(tilePath))),
    ...(await buildCube(coloured, [2048])),
    ...(await buildCube(grey, [256, 512, 1024])),
  ]);
}

async function buildEquirect(
  picture: RawImage,
  isIncluded: (tilePath: string) => boolean,
): Promise<readonly (readonly [string, Buffer])[]> {
  const source = await toSharp(picture).png({ compressionLevel: 0 }).toBuffer();
  const files: (readonly [string, Buffer])[] = [];
  for await (const { path: tilePath, content } of (await tilePanorama(source)).entries)
    if (isIncluded(tilePath)) files.push([`/equirect/${tilePath}`, Buffer.from(content)]);
  return files;
}

const cubeSizes = [256, 512, 1024, 2048];
/** Right, up and forward components of the point (u, v) of a face. u points right and v down, both in [-1, 1]. */
const faces: Readonly<Record<string, (u: number, v: number) => readonly [right: number, up: number, forward: number]>> =
  {
    f: (u, v) => [u, -v, 1],
    r: (u, v) => [1, -v, -u],
    b: (u, v) => [-u, -v, -1],
    l: (u, v) => [-1, -v, u],
    u: (u, v) => [u, 1, v],
    d: (u, v) => [u, -1, -v],
  };

async function buildCube(picture: RawImage, sizes: readonly number[]): Promise<readonly (readonly [string, Buffer])[]> {
  const files: (readonly [string, Buffer])[] = [];
  for (const [face, toDirection] of Object.entries(faces)) {
    const faceImage = projectFace(picture, 2048, toDirection);
    for (const size of sizes) {
      const { data } = await toSharp(faceImage).resize(size, size).raw().toBuffer({ resolveWithObject: true });
      const edge = Math.min(tileSize, size);
      for (let top = 0; top < size; top += edge) {
        for (let left = 0; left < size; left += edge) {
          const tile = await toSharp({ data, width: size, height: size })
            .extract({ left, top, width: edge, height: edge })
            .jpeg({ quality })
            .toBuffer();
          files.push([`/cube/${cubeSizes.indexOf(size)}/${face}/${left / edge}_${top / edge}.jpg`, tile]);
        }
      }
    }
  }
  return files;
}

/** Samples one face by nearest neighbours, which is enough because only the tile sizes matter. */
function projectFace(
  picture: RawImage,
  size: number,
  toDirection: (u: number, v: number) => readonly [number, number, number],
): RawImage {
  const data = Buffer.alloc(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [right, up, forward] = toDirection(((x + 0.5) / size) * 2 - 1, ((y + 0.5) / size) * 2 - 1);
      const column = Math.floor((Math.atan2(right, forward) / (2 * Math.PI) + 0.5) * picture.width) % picture.width;
      const row = Math.min(
        picture.height - 1,
        Math.floor((0.5 - Math.atan2(up, Math.hypot(right, forward)) / Math.PI) * picture.height),
      );
      picture.data.copy(
        data,
        (y * size + x) * 3,
        (row * picture.width + column) * 3,
        (row * picture.width + column) * 3 + 3,
      );
    }
  }
  return { data, width: size, height: size };
}

const toSharp = (raw: RawImage) => sharp(raw.data, { raw: { width: raw.width, height: raw.height, channels: 3 } });
