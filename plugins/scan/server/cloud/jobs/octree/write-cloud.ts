import path from 'node:path';
import type { Point3 } from '#core';
import type { FolderEntry } from '#core/server';
import type { PointBatch } from '../../../adapters/point-source.ts';
import { ScanUnreadable } from '../../../adapters/scan-unreadable.ts';
import { encodeTile, type TileEncoding } from './encode-tile.ts';
import { buildOctree, type OctreeOptions, type TileNode } from './octree.ts';
import { RecordFile } from './record-file.ts';

/** Summary of the written points, in metres of the site frame. */
export interface CloudSummary {
  readonly points: number;
  readonly tiles: number;
  readonly minimum: Point3;
  readonly maximum: Point3;
  readonly colored: boolean;
  /** The intensities that map to 0 and 65535; undefined without intensities. */
  readonly intensity: { readonly minimum: number; readonly maximum: number } | undefined;
}

export interface WriteCloudOptions {
  /** An empty folder for temporary files, which are deleted at the end. */
  readonly folder: string;
  /** Called regularly with the number of points read and written. */
  readonly onProgress?: (read: number, written: number) => Promise<void>;
  readonly maxPointsInMemory?: number;
  readonly maxLeafPoints?: number;
  readonly minPoints?: number;
}

const defaults = { maxPointsInMemory: 3_000_000, maxLeafPoints: 20_000, minPoints: 2_000 };
/** Maximum step of positions, which is below the resolution of any scanner. Small objects get a finer step. */
const maxStepMetres = 0.000_25;
const stepsAcross = 2 ** 18;
const pointsPerReport = 200_000;

/**
 * Writes points as 3D Tiles 1.1 with additive refinement (`tileset.json`, `tiles/<key>.glb`) and returns the summary,
 * also stored in `extras`. Memory is limited to `maxPointsInMemory` points of 32 bytes and twice their indices. Throws
 * `ScanUnreadable` if there are no points.
 */
export async function* writeCloud(
  batches: AsyncIterable<PointBatch>,
  options: WriteCloudOptions,
): AsyncGenerator<FolderEntry, CloudSummary> {
  const root = new RecordFile(path.join(options.folder, 'points'));
  try {
    return yield* writeTiles(root, await collectPoints(batches, root, options), options);
  } finally {
    await root.remove();
  }
}

async function* writeTiles(
  root: RecordFile,
  collectedPoints: CollectedPoints,
  options: WriteCloudOptions,
): AsyncGenerator<FolderEntry, CloudSummary> {
  if (root.count === 0) throw new ScanUnreadable('scan.refused.noPositions');
  const { minimum, maximum } = collectedPoints;
  // Slightly enlarged, so that rounding keeps the outermost points inside.
  const edge = Math.max(1e-6, ...[0, 1, 2].map((axis) => maximum[axis]! - minimum[axis]!)) * 1.000_001;
  const encoding: TileEncoding = {
    step: Math.min(maxStepMetres, edge / stepsAcross),
    intensity: collectedPoints.intensity,
    colored: collectedPoints.colored,
  };
  const settings: OctreeOptions = { ...defaults, ...options };
  const nodes = buildOctree(root, { minimum, edge }, settings);
  const points = root.count;
  let writtenCount = 0;
  let reportedCount = 0;
  let tiles = 0;
  for (;;) {
    const next = await nodes.next();
    if (next.done) {
      const summary: CloudSummary = {
        points: writtenCount,
        tiles,
        minimum,
        maximum,
        colored: collectedPoints.colored,
        intensity: collectedPoints.intensity,
      };
      yield { path: 'tileset.json', content: Buffer.from(JSON.stringify(describeTileset(next.value, edge, summary))) };
      return summary;
    }
    const { key, points: tilePoints } = next.value;
    yield { path: tilePath(key), content: await encodeTile(tilePoints, encoding) };
    tiles++;
    writtenCount += tilePoints.count;
    if (writtenCount - reportedCount >= pointsPerReport)
      await options.onProgress?.(points, (reportedCount = writtenCount));
  }
}

const tilePath = (key: string): string => `tiles/${key}.glb`;

interface CollectedPoints {
  readonly minimum: Point3;
  readonly maximum: Point3;
  readonly colored: boolean;
  readonly intensity: CloudSummary['intensity'];
}

async function collectPoints(
  batches: AsyncIterable<PointBatch>,
  target: RecordFile,
  { onProgress }: WriteCloudOptions,
): Promise<CollectedPoints> {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const intensity = { minimum: Infinity, maximum: -Infinity };
  let colored = false;
  let reportedCount = 0;
  for await (const { count, positions, colors, intensities } of batches) {
    colored ||= colors !== undefined;
    for (let k = 0; k < count; k++) {
      const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
      if (!Number.isFinite(x + y + z)) continue;
      for (let axis = 0; axis < 3; axis++) {
        const value = positions[3 * k + axis]!;
        if (value < minimum[axis]!) minimum[axis] = value;
        if (value > maximum[axis]!) maximum[axis] = value;
      }
      const strength = intensities?.[k] ?? 0;
      if (intensities) {
        if (strength < intensity.minimum) intensity.minimum = strength;
        if (strength > intensity.maximum) intensity.maximum = strength;
      }
      // Points without a colour are light grey if other scans have colours.
      target.buffer.add(
        x,
        y,
        z,
        strength,
        colors ? colors[3 * k]! >> 8 : 200,
        colors ? colors[3 * k + 1]! >> 8 : 200,
        colors ? colors[3 * k + 2]! >> 8 : 200,
      );
      target.commitPoint();
    }
    if (target.count - reportedCount >= pointsPerReport) await onProgress?.((reportedCount = target.count), 0);
  }
  target.close();
  return { minimum, maximum, colored, intensity: intensity.minimum <= intensity.maximum ? intensity : undefined };
}

function describeTileset(root: TileNode, edge: number, summary: CloudSummary): unknown {
  return {
    asset: { version: '1.1', generator: 'Walkdown' },
    extras: summary,
    geometricError: edge,
    root: { refine: 'ADD', ...describeTile(root) },
  };
}

function describeTile({ key, count, minimum, maximum, spacing, children }: TileNode): object {
  const half = (axis: 0 | 1 | 2): number => Math.max(5e-4, (maximum[axis] - minimum[axis]) / 2);
  const middle = (axis: 0 | 1 | 2): number => (maximum[axis] + minimum[axis]) / 2;
  return {
    boundingVolume: { box: [middle(0), middle(1), middle(2), half(0), 0, 0, 0, half(1), 0, 0, 0, half(2)] },
    geometricError: spacing,
    content: { uri: tilePath(key) },
    extras: { points: count },
    ...(children.length === 0 ? {} : { children: children.map(describeTile) }),
  };
}
