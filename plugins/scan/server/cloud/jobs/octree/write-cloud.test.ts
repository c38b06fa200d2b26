import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CloudTile, CloudTileset } from '../../../../contract/api/cloud-tileset.ts';
import { decodeTile, TileDamagedError, readPositions, type DecodedTile } from '../../../../common/decode-tile.ts';
import type { PointBatch } from '../../../adapters/point-source.ts';
import { writeCloud, type CloudSummary, type WriteCloudOptions } from './write-cloud.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'walkdown-cloud-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reproducible random numbers in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Generates a floor and a wall of `size` metres far from the origin. A point's colour encodes its number. */
function* generateBatches(
  count: number,
  size: number,
  origin = [6_500_000, 250_000, 40] as const,
): Generator<PointBatch> {
  const nextRandom = createRandom(7);
  for (let generatedCount = 0; generatedCount < count;) {
    const batchCount = Math.min(5000, count - generatedCount);
    const positions = new Float64Array(batchCount * 3);
    const colors = new Uint16Array(batchCount * 3);
    const intensities = new Float32Array(batchCount);
    for (let k = 0; k < batchCount; k++) {
      const isWall = nextRandom() < 0.3;
      positions.set(
        [
          origin[0] + nextRandom() * size,
          origin[1] + (isWall ? size / 2 : nextRandom() * size),
          origin[2] + (isWall ? nextRandom() * size * 0.2 : 0),
        ],
        3 * k,
      );
      colors.set(
        [
          ((generatedCount + k) & 255) << 8,
          (((generatedCount + k) >> 8) & 255) << 8,
          ((generatedCount + k) >> 16) << 8,
        ],
        3 * k,
      );
      intensities[k] = -10 + (generatedCount + k) / count;
    }
    yield { count: batchCount, positions, colors, intensities };
    generatedCount += batchCount;
  }
}

interface WriteResult {
  readonly summary: CloudSummary;
  readonly tileset: CloudTileset;
  readonly tiles: ReadonlyMap<string, DecodedTile>;
  readonly bytes: number;
}

async function write(points: Iterable<PointBatch>, options: Partial<WriteCloudOptions> = {}): Promise<WriteResult> {
  const entries = writeCloud(
    (async function* () {
      yield* points;
    })(),
    { folder, ...options },
  );
  const tiles = new Map<string, DecodedTile>();
  let tileset: CloudTileset | undefined;
  let bytes = 0;
  for (;;) {
    const next = await entries.next();
    if (next.done) return { summary: next.value, tileset: tileset!, tiles, bytes };
    const { path: name, content } = next.value;
    bytes += content.length;
    if (name === 'tileset.json') tileset = JSON.parse(Buffer.from(content).toString()) as CloudTileset;
    else tiles.set(name, await decodeTile(content));
  }
}

const flattenTiles = (tile: CloudTile): readonly CloudTile[] => [tile, ...(tile.children ?? []).flatMap(flattenTiles)];

/** Maps the number in a point's colour to the point's position. */
function indexByNumber(tiles: Iterable<DecodedTile>): ReadonlyMap<number, readonly number[]> {
  const positionsByNumber = new Map<number, readonly number[]>();
  for (const tile of tiles) {
    const positions = readPositions(tile);
    const { bytes, stride } = tile.blocks[tile.color!.block]!;
    for (let k = 0, at = tile.color!.offset; k < tile.count; k++, at += stride)
      positionsByNumber.set(bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16), [
        ...positions.subarray(3 * k, 3 * k + 3),
      ]);
  }
  return positionsByNumber;
}

describe('writeCloud', () => {
  it.for([
    ['a plant', 20, {}, 0.000_16],
    [
      'a cloud that does not fit into memory',
      20,
      { maxPointsInMemory: 30_000, maxLeafPoints: 2000, minPoints: 300 },
      0.000_16,
    ],
    ['a small object', 0.2, {}, 0.000_002],
    ['a whole site in floating point', 400, {}, 0.000_3],
  ] as const)('writes every point of %s once and at its position', async ([, size, options, maxError]) => {
    const count = 150_000;
    const { summary, tileset, tiles } = await write(generateBatches(count, size), options);
    expect([summary.points, summary.tiles, tileset.extras.points]).toEqual([count, tiles.size, count]);
    const positionsByNumber = indexByNumber(tiles.values());
    expect(positionsByNumber.size).toBe(count);
    let number = 0;
    let maxFoundError = 0;
    for (const batch of generateBatches(count, size)) {
      for (let k = 0; k < batch.count; k++, number++) {
        const position = positionsByNumber.get(number)!;
        for (let axis = 0; axis < 3; axis++)
          maxFoundError = Math.max(maxFoundError, Math.abs(position[axis]! - batch.positions[3 * k + axis]!));
      }
    }
    expect(maxFoundError).toBeLessThanOrEqual(maxError);
    expect(await readdir(folder)).toEqual([]);
  });

  it('describes each tile by the number, the box and the spacing of its points', async () => {
    const { tileset, tiles } = await write(generateBatches(100_000, 20), { maxLeafPoints: 2000, minPoints: 300 });
    const tileList = flattenTiles(tileset.root);
    expect(tileList).toHaveLength(tiles.size);
    for (const tile of tileList) {
      const decodedTile = tiles.get(tile.content.uri)!;
      expect(decodedTile.count).toBe(tile.extras.points);
      const [x, y, z, hx, , , , hy, , , , hz] = tile.boundingVolume.box as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const positions = readPositions(decodedTile);
      for (let k = 0; k < decodedTile.count; k++) {
        expect(
          Math.abs(positions[3 * k]! - x) <= hx + 3e-4 &&
            Math.abs(positions[3 * k + 1]! - y) <= hy + 3e-4 &&
            Math.abs(positions[3 * k + 2]! - z) <= hz + 3e-4,
        ).toBe(true);
      }
      for (const child of tile.children ?? []) expect(child.geometricError).toBeLessThan(tile.geometricError);
      if (!tile.children) expect(tile.geometricError).toBe(0);
    }
  });

  it('scales intensity by the range in the files', async () => {
    const { summary, tiles } = await write(generateBatches(60_000, 20));
    expect(summary.intensity!.minimum).toBeCloseTo(-10, 3);
    expect(summary.intensity!.maximum).toBeCloseTo(-9, 3);
    const root = tiles.get('tiles/r.glb')!;
    const { bytes, stride } = root.blocks[root.intensity!.block]!;
    const view = new DataView(bytes.buffer);
    const { bytes: colors, stride: step } = root.blocks[root.color!.block]!;
    for (let k = 0; k < root.count; k += 97) {
      const number =
        colors[k * step + root.color!.offset]! |
        (colors[k * step + root.color!.offset + 1]! << 8) |
        (colors[k * step + root.color!.offset + 2]! << 16);
      expect(view.getUint16(k * stride + root.intensity!.offset, true) / 65_535).toBeCloseTo(number / 60_000, 3);
    }
  });

  it('writes the same bytes for the same points', async () => {
    const [a, b] = [await write(generateBatches(30_000, 20)), await write(generateBatches(30_000, 20))];
    expect(a).toEqual(b);
  });

  it('does not split a tile of coincident points', async () => {
    const coincident: PointBatch = {
      count: 50_000,
      positions: new Float64Array(150_000).fill(3),
      colors: undefined,
      intensities: undefined,
    };
    const { summary } = await write([coincident], { maxLeafPoints: 1000, minPoints: 10, maxPointsInMemory: 5000 });
    expect(summary.points).toBeGreaterThan(0);
    expect(summary.tiles).toBe(1);
  });

  it('refuses an empty cloud', async () => {
    await expect(write([])).rejects.toThrow('no points');
  });
});

it('refuses to decode a truncated or damaged tile', async () => {
  const entries = writeCloud(
    (async function* () {
      yield* generateBatches(3000, 20);
    })(),
    { folder },
  );
  const first = await entries.next();
  const content = Buffer.from((first.value as { readonly content: Uint8Array }).content);
  for await (const _ of entries);
  for (const cut of [0, 10, 30, 200, content.length - 1])
    await expect(decodeTile(content.subarray(0, cut))).rejects.toThrow(TileDamagedError);
  const nextRandom = createRandom(5);
  for (let run = 0; run < 300; run++) {
    const damagedTile = Buffer.from(content);
    damagedTile[Math.floor(nextRandom() * content.length)]! ^= 1 << Math.floor(nextRandom() * 8);
    await decodeTile(damagedTile).catch((error: unknown) => expect(error).toBeInstanceOf(TileDamagedError));
  }
});
