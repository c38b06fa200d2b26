import { buffer } from 'node:stream/consumers';
import type { Point3 } from '#core';
import type { FileStore } from '#core/server';
import type { RangeView } from '#plugins/tour';
import { decodeTile, readPositions } from '../../common/decode-tile.ts';
import type { CloudTile, CloudTileset } from '../../contract/api/cloud-tileset.ts';
import type { PointCloud } from '../../contract/api/cloud.ts';
import { openPoints } from '../adapters/open-points.ts';
import { openStoredFile } from '../cloud/jobs/open-stored-file.ts';

/** The longest range that 16 bits of millimetres can store, metres. */
export const maxRangeMetres = 65.535;

/**
 * Yields batches of the points of a point cloud that views need: x y z in metres of the site frame. It skips tiles that
 * are out of range or finer than a pixel. A COPC file is read completely.
 */
export async function* readCloudPoints(
  files: FileStore,
  kind: PointCloud['kind'],
  file: string,
  views: readonly RangeView[],
  signal: AbortSignal,
): AsyncGenerator<Float64Array> {
  if (kind === 'COPC') {
    const source = await openPoints(await openStoredFile(files, file));
    for await (const { positions, count } of source.readPoints()) {
      signal.throwIfAborted();
      yield positions.subarray(0, 3 * count);
    }
    return;
  }
  const tileset = JSON.parse(
    (await buffer(await files.read(file, undefined, 'tileset.json'))).toString(),
  ) as CloudTileset;
  for (const uri of listNeededTiles(tileset.root, views)) {
    signal.throwIfAborted();
    yield readPositions(await decodeTile(await buffer(await files.read(file, undefined, uri))));
  }
}

/** Tiles are additive. A view needs the children of a tile if the points of the tile are farther apart than pixels. */
function* listNeededTiles(
  { boundingVolume, geometricError, content, children = [] }: CloudTile,
  views: readonly RangeView[],
): Generator<string> {
  const nearViews = views
    .map((view) => ({ view, metres: computeDistance(boundingVolume.box, view.position) }))
    .filter(({ metres }) => metres <= maxRangeMetres);
  if (nearViews.length > 0) yield content.uri;
  const finerViews = nearViews
    .filter(({ view, metres }) => geometricError > (metres * 2 * Math.PI) / view.width)
    .map(({ view }) => view);
  if (finerViews.length > 0) for (const child of children) yield* listNeededTiles(child, finerViews);
}

/** Computes the metres from a point to an axis-aligned box of 3D Tiles, which is its centre and three half axes. */
function computeDistance(box: readonly number[], position: Point3): number {
  const axisDistances = position.map((value, axis) => Math.max(0, Math.abs(value - box[axis]!) - box[3 + 4 * axis]!));
  return Math.hypot(...axisDistances);
}
