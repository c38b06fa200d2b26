import path from 'node:path';
import type { Point3 } from '#core';
import { processInSlices } from './process-in-slices.ts';
import { RecordFile } from './record-file.ts';
import { Records } from './records.ts';

export interface OctreeOptions {
  /** Folder for temporary files. */
  readonly folder: string;
  /** Maximum number of points processed in memory; larger nodes go through files. */
  readonly maxPointsInMemory: number;
  /** A node with at most this many points is not split. */
  readonly maxLeafPoints: number;
  /** A child with fewer points is merged into its parent. */
  readonly minPoints: number;
}

export interface Cube {
  readonly minimum: Point3;
  readonly edge: number;
}

/** The points of one node without those of its children. */
export interface TilePoints {
  /** `r` for the root, then one digit per level: bit 0 east, bit 1 north, bit 2 up. */
  readonly key: string;
  readonly points: Records;
}

export interface TileNode {
  readonly key: string;
  readonly count: number;
  /** The bounding box of the points of this node and its descendants. */
  readonly minimum: Point3;
  readonly maximum: Point3;
  /** Approximate distance between the points of this node in metres; 0 if it shows all points. */
  readonly spacing: number;
  readonly children: readonly TileNode[];
}

/** Cells along an edge of a node. An inner node shows at most one point per cell, and a leaf shows all its points. */
export const gridCells = 128;
/** Edge of the smallest cube that is split. A smaller cube shows at most `maxLeafPoints` points. */
const minEdgeMetres = 0.002;

/**
 * Splits points into additive nodes: each node takes one point per grid cell and passes the others to its children.
 * Yields the points of the nodes and returns the tree. Deletes the file.
 */
export function buildOctree(
  file: RecordFile,
  cube: Cube,
  options: OctreeOptions,
): AsyncGenerator<TilePoints, TileNode> {
  return new OctreeBuilder(options).splitFile('r', cube, file);
}

class OctreeBuilder {
  readonly #options: OctreeOptions;
  readonly #occupied = new Uint32Array(gridCells ** 3 / 32);

  constructor(options: OctreeOptions) {
    this.#options = options;
  }

  async *splitFile(key: string, cube: Cube, file: RecordFile): AsyncGenerator<TilePoints, TileNode> {
    if (file.count <= this.#options.maxPointsInMemory) {
      const records = await file.readAll();
      await file.remove();
      const indices = new Uint32Array(records.count);
      for (let index = 0; index < indices.length; index++) indices[index] = index;
      return yield* this.#splitRecords(key, cube, records, indices);
    }
    const retainedRecords: Records[] = [];
    const retain = (records: Records, index: number): void => {
      let last = retainedRecords.at(-1);
      if (last === undefined || last.count === last.capacity) retainedRecords.push((last = new Records(16_384)));
      last.copyFrom(records, index);
    };
    const parts = new Map<number, RecordFile>();
    try {
      this.#occupied.fill(0);
      for await (const block of file.readBlocks()) {
        for (let k = 0; k < block.count; k++) {
          if (this.#occupyCell(cube, block, k)) retain(block, k);
          else if (cube.edge > minEdgeMetres) this.#addToPart(parts, key, findOctant(cube, block, k), block, k);
        }
      }
      await file.remove();
      for (const [octant, part] of parts) {
        part.close();
        if (part.count >= this.#options.minPoints) continue;
        for await (const block of part.readBlocks()) for (let k = 0; k < block.count; k++) retain(block, k);
        await part.remove();
        parts.delete(octant);
      }
      const points = await joinRecords(retainedRecords);
      yield { key, points };
      const children: TileNode[] = [];
      for (const [octant, part] of [...parts].sort(([a], [b]) => a - b))
        children.push(yield* this.splitFile(key + octant, childCube(cube, octant), part));
      return createNode(key, points, cube.edge / gridCells, children);
    } finally {
      for (const part of parts.values()) await part.remove();
    }
  }

  async *#splitRecords(
    key: string,
    cube: Cube,
    records: Records,
    indices: Uint32Array,
  ): AsyncGenerator<TilePoints, TileNode> {
    const { maxLeafPoints, minPoints } = this.#options;
    if (indices.length <= maxLeafPoints || cube.edge <= minEdgeMetres) {
      const points = await selectRecords(records, indices.subarray(0, maxLeafPoints));
      yield { key, points };
      return createNode(key, points, 0, []);
    }
    this.#occupied.fill(0);
    const retainedIndices: number[] = [];
    const parts: number[][] = Array.from({ length: 8 }, () => []);
    await processInSlices(indices.length, (from, to) => {
      for (const index of indices.subarray(from, to)) {
        if (this.#occupyCell(cube, records, index)) retainedIndices.push(index);
        else parts[findOctant(cube, records, index)]!.push(index);
      }
    });
    for (const part of parts) {
      if (part.length >= minPoints) continue;
      for (const index of part) retainedIndices.push(index);
      part.length = 0;
    }
    const points = await selectRecords(records, retainedIndices);
    yield { key, points };
    const children: TileNode[] = [];
    for (const [octant, part] of parts.entries())
      if (part.length > 0)
        children.push(
          yield* this.#splitRecords(key + octant, childCube(cube, octant), records, Uint32Array.from(part)),
        );
    return createNode(key, points, cube.edge / gridCells, children);
  }

  #addToPart(parts: Map<number, RecordFile>, key: string, octant: number, records: Records, index: number): void {
    let part = parts.get(octant);
    if (part === undefined)
      parts.set(octant, (part = new RecordFile(path.join(this.#options.folder, `${key}${octant}`))));
    part.buffer.copyFrom(records, index);
    part.commitPoint();
  }

  /** Marks the cell of a point as occupied. Returns whether the point is the first one in its cell. */
  #occupyCell(cube: Cube, records: Records, index: number): boolean {
    let cell = 0;
    for (let axis = 2; axis >= 0; axis--) {
      const cellOnAxis = Math.floor(((records.getPosition(index, axis) - cube.minimum[axis]!) / cube.edge) * gridCells);
      cell = cell * gridCells + Math.min(gridCells - 1, Math.max(0, cellOnAxis));
    }
    const bit = 1 << (cell & 31);
    if (this.#occupied[cell >> 5]! & bit) return false;
    this.#occupied[cell >> 5]! |= bit;
    return true;
  }
}

function childCube({ minimum, edge }: Cube, octant: number): Cube {
  const half = edge / 2;
  return {
    minimum: [
      minimum[0] + (octant & 1) * half,
      minimum[1] + ((octant >> 1) & 1) * half,
      minimum[2] + (octant >> 2) * half,
    ],
    edge: half,
  };
}

function findOctant({ minimum, edge }: Cube, records: Records, index: number): number {
  let octant = 0;
  for (let axis = 0; axis < 3; axis++)
    if (records.getPosition(index, axis) >= minimum[axis]! + edge / 2) octant |= 1 << axis;
  return octant;
}

async function selectRecords(records: Records, indices: ArrayLike<number>): Promise<Records> {
  const out = new Records(indices.length);
  await processInSlices(indices.length, (from, to) => {
    for (let k = from; k < to; k++) out.copyFrom(records, indices[k]!);
  });
  return out;
}

async function joinRecords(parts: readonly Records[]): Promise<Records> {
  const out = new Records(parts.reduce((sum, { count }) => sum + count, 0));
  for (const part of parts) {
    await processInSlices(part.count, (from, to) => {
      for (let k = from; k < to; k++) out.copyFrom(part, k);
    });
  }
  return out;
}

function createNode(key: string, points: Records, spacing: number, children: readonly TileNode[]): TileNode {
  const box = computeBox(points);
  const computeMinimum = (axis: 0 | 1 | 2): number =>
    Math.min(box.minimum[axis], ...children.map(({ minimum }) => minimum[axis]));
  const computeMaximum = (axis: 0 | 1 | 2): number =>
    Math.max(box.maximum[axis], ...children.map(({ maximum }) => maximum[axis]));
  return {
    key,
    count: points.count,
    minimum: [computeMinimum(0), computeMinimum(1), computeMinimum(2)],
    maximum: [computeMaximum(0), computeMaximum(1), computeMaximum(2)],
    spacing: children.length === 0 ? 0 : spacing,
    children,
  };
}

export function computeBox(points: Records): { readonly minimum: Point3; readonly maximum: Point3 } {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.count; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = points.getPosition(k, axis);
      if (value < minimum[axis]!) minimum[axis] = value;
      if (value > maximum[axis]!) maximum[axis] = value;
    }
  }
  return { minimum, maximum };
}
