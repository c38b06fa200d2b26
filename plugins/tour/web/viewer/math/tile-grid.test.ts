import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanoramaTiles } from '#plugins/tour';
import { createCamera, computePanTilt, computePixelsPerRadian } from './camera.ts';
import { chooseTiles, findLevel, doesTileContain, computeTileBounds, listVisibleTiles } from './tile-grid.ts';

/** Builds a pyramid like the server: each level has half the width of the next. */
export function buildPyramid(width: number, height = width / 2, tileSize = 512): PanoramaTiles {
  const levels = [];
  for (let w = width, h = height; w >= 1024 || levels.length === 0; w = Math.ceil(w / 2), h = Math.ceil(h / 2))
    levels.unshift({ width: w, height: h, columns: Math.ceil(w / tileSize), rows: Math.ceil(h / tileSize) });
  return { id: `p${width}`, address: '/p', tileSize, levels, mesh: false };
}

const view = fc.record({
  pan: fc.double({ min: 0, max: 359.99, noNaN: true }),
  tilt: fc.double({ min: -90, max: 90, noNaN: true }),
  fov: fc.double({ min: 15, max: 100, noNaN: true }),
});
const size = fc.record({ width: fc.integer({ min: 320, max: 2560 }), height: fc.integer({ min: 320, max: 1440 }) });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const heading = fc.double({ min: 0, max: 359.99, noNaN: true });
const picture = fc.constantFrom(buildPyramid(8192), buildPyramid(4096), buildPyramid(5000), buildPyramid(1536));

describe('tile grid', () => {
  it('covers the whole sphere once', () => {
    for (const tiles of [buildPyramid(8192), buildPyramid(5000)]) {
      tiles.levels.forEach((level, index) => {
        let area = 0;
        for (let row = 0; row < level.rows; row++)
          for (let column = 0; column < level.columns; column++) {
            const bounds = computeTileBounds(tiles, index, column, row);
            area += (bounds.right - bounds.left) * (bounds.top - bounds.bottom);
          }
        expect(area).toBeCloseTo(360 * 180, 6);
      });
    }
  });

  it('finds the tile of every pixel of the view', () => {
    fc.assert(
      fc.property(picture, view, size, heading, fraction, fraction, (tiles, v, { width, height }, h, across, down) => {
        const camera = createCamera(v, width, height);
        const { pan, tilt } = computePanTilt(camera, across * width, down * height);
        tiles.levels.forEach((_, level) => {
          expect(
            listVisibleTiles(tiles, level, h, camera).some(({ bounds }) => doesTileContain(bounds, h, pan, tilt)),
          ).toBe(true);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('chooses the coarsest level that is sharp at the centre', () => {
    fc.assert(
      fc.property(picture, view, size, (tiles, v, { width, height }) => {
        const camera = createCamera(v, width, height);
        const level = findLevel(tiles, camera);
        const density = (index: number): number => tiles.levels[index]!.width / (2 * Math.PI);
        if (level < tiles.levels.length - 1)
          expect(density(level) * 1.1).toBeGreaterThanOrEqual(computePixelsPerRadian(camera) - 1e-6);
        if (level > 0) expect(density(level - 1) * 1.1).toBeLessThan(computePixelsPerRadian(camera));
      }),
    );
  });

  it('chooses the level of width 4096 for 1280 x 720 pixels and 90 degrees horizontally', () => {
    const tiles = buildPyramid(8192);
    expect(tiles.levels[findLevel(tiles, createCamera({ pan: 0, tilt: 0, fov: 58.7 }, 1280, 720))]!.width).toBe(4096);
    expect(tiles.levels[findLevel(tiles, createCamera({ pan: 0, tilt: 0, fov: 30 }, 1280, 720))]!.width).toBe(8192);
  });

  it('lists tiles from the centre of the view outwards', () => {
    const tiles = buildPyramid(8192);
    const camera = createCamera({ pan: 200, tilt: 20, fov: 60 }, 1280, 720);
    const visibleTiles = listVisibleTiles(tiles, 3, 37, camera);
    expect(doesTileContain(visibleTiles[0]!.bounds, 37, 200, 20)).toBe(true);
    expect(visibleTiles.map((tile) => tile.angle)).toEqual(
      visibleTiles.map((tile) => tile.angle).sort((a, b) => a - b),
    );
  });

  it('returns few tiles outside the view', () => {
    const tiles = buildPyramid(8192);
    expect(
      listVisibleTiles(tiles, 2, 0, createCamera({ pan: 0, tilt: 0, fov: 58.7 }, 1280, 720)).length,
    ).toBeLessThanOrEqual(16);
  });

  it('uses a coarser level instead of exceeding the limit', () => {
    fc.assert(
      fc.property(picture, view, size, (tiles, v, { width, height }) => {
        const { visibleTiles } = chooseTiles(tiles, 0, createCamera(v, width, height), 24);
        expect(visibleTiles.length).toBeLessThanOrEqual(24);
      }),
    );
  });
});
