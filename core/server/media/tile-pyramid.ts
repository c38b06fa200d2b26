import sharp from 'sharp';
import type { FolderEntry } from '../files/file-store.ts';
import { openEquirectangular } from './equirectangular-image.ts';
import { createPicturePipeline, decodeOrRefuse } from './picture-pipeline.ts';
import { cutTiles, type Grid } from './cut-tiles.ts';
import { isTilted, levelPixels, type CameraTilt } from './level-panorama.ts';

export const tileSize = 512;
const minLevelWidth = 1024;
const tileQuality = 82;
const preview = {
  path: 'preview.jpg',
  width: 1024,
  height: 512,
  maxBytes: 60_000,
  qualities: [68, 60, 52, 44, 36, 28],
} as const;

/**
 * Describes a pyramid to viewers. `levels[0]` is 1,024 to 2,047 pixels wide, each next level is twice as wide, and the
 * last one is the full image. The tile in column c (from the left) and row r (from the top) of `levels[l]` is the
 * folder entry `<l>/<c>_<r>.jpg`. Tiles have `tileSize` x `tileSize` pixels, or less at the right and bottom edges.
 */
export interface PanoramaDescription {
  readonly width: number;
  readonly height: number;
  readonly tileSize: number;
  readonly levels: readonly Grid[];
  /** The folder entry with an image of the whole sphere, 1,024 x 512 pixels and about 60 kB at most. */
  readonly preview: string;
}

export interface TiledPanorama {
  readonly description: PanoramaDescription;
  /**
   * The tiles and the preview. Can be read once. Images are decoded, scaled and cut in other threads.
   *
   * @throws `invalidRequest` if the file is damaged
   */
  readonly entries: AsyncIterable<FolderEntry>;
}

/**
 * Cuts an equirectangular JPEG, PNG or WebP (a path or its bytes) into a pyramid of JPEG tiles for
 * `FileStore.putFolder`. Levels the picture of a tilted camera.
 *
 * @throws `invalidRequest` with a readable message if it is unreadable, too large, too small or not twice as wide as
 *   high
 */
export async function tilePanorama(
  source: string | Uint8Array,
  tilt: CameraTilt = { pitch: 0, roll: 0 },
): Promise<TiledPanorama> {
  const image = await openEquirectangular(source);
  const levels = computeLevels(image.width);
  const fullLevel = levels.at(-1) as Grid;
  return {
    description: { width: fullLevel.width, height: fullLevel.height, tileSize, levels, preview: preview.path },
    entries: cutPyramid(image.bytes, levels, tilt),
  };
}

/** Widths are multiples of 16, so that each half of a width is an integer. */
function computeLevels(sourceWidth: number): readonly Grid[] {
  const levels: Grid[] = [];
  for (let width = sourceWidth - (sourceWidth % 16); width >= minLevelWidth; width /= 2) {
    levels.unshift({
      width,
      height: width / 2,
      columns: Math.ceil(width / tileSize),
      rows: Math.ceil(width / 2 / tileSize),
    });
  }
  return levels;
}

async function* cutPyramid(bytes: Buffer, levels: readonly Grid[], tilt: CameraTilt): AsyncGenerator<FolderEntry> {
  const fullLevel = levels.at(-1) as Grid;
  let pixels = await decodeOrRefuse(() =>
    createPicturePipeline(bytes)
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize(fullLevel.width, fullLevel.height, { fit: 'fill' })
      .raw()
      .toBuffer(),
  );
  if (isTilted(tilt)) pixels = await levelPixels(pixels, fullLevel.width, fullLevel.height, tilt);
  let width = fullLevel.width;
  for (const [index, level] of [...levels.entries()].reverse()) {
    if (level.width !== width) {
      pixels = await sharp(pixels, { raw: { width, height: width / 2, channels: 3 } })
        .resize(level.width, level.height, { fit: 'fill' })
        .raw()
        .toBuffer();
      width = level.width;
    }
    yield* cutTiles(pixels, level, tileSize, (tile, column, row) =>
      tile
        .jpeg({ quality: tileQuality })
        .toBuffer()
        .then((content) => ({ path: `${index}/${column}_${row}.jpg`, content })),
    );
  }
  yield { path: preview.path, content: await createPreview(pixels, width) };
}

/** Encodes the preview with the best quality whose size is within the limit, or else with the lowest quality. */
async function createPreview(pixels: Buffer, width: number): Promise<Uint8Array> {
  const scaledImage = sharp(pixels, { raw: { width, height: width / 2, channels: 3 } }).resize(
    preview.width,
    preview.height,
    { fit: 'fill' },
  );
  let content: Uint8Array = new Uint8Array();
  for (const quality of preview.qualities) {
    content = await scaledImage.clone().jpeg({ quality, mozjpeg: true }).toBuffer();
    if (content.length <= preview.maxBytes) break;
  }
  return content;
}
