import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMesh } from './geometry/plant-mesh.ts';
import { PlantRays } from './geometry/plant-rays.ts';
import { earlierNodes, earlierParts } from './plant/earlier.ts';
import { plant } from './plant/plant.ts';
import { pipeSize } from './plant/pipe-sizes.ts';
import type { Line, Point } from './plant/types.ts';
import { add, dot, length, normalise, scale, seeded, subtract } from './plant/vector.ts';
import { pixelDirection } from './render/equirectangular.ts';
import { encodeRange, maxRangeMetres } from './render/range-image.ts';

const folder = join(import.meta.dirname, 'rendered');

interface RangeImage {
  readonly width: number;
  readonly height: number;
  millimetres(x: number, y: number): number;
}

async function load(code: string, below = 'range'): Promise<RangeImage> {
  const { data, info } = await sharp(join(folder, below, `${code}.webp`))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    millimetres: (x, y) => data[(y * info.width + x) * 3]! * 256 + data[(y * info.width + x) * 3 + 1]!,
  };
}

/**
 * Distance of a point to the middle of a line's straight runs, clear of elbows, flanges and valves; undefined
 * elsewhere.
 */
function distanceToStraight(line: Line, point: Point): number | undefined {
  const od = line.outsideDiameter;
  const flange = pipeSize(line.nps).flange.diameter / 1000;
  const fittings = [
    ...line.flanges.map(({ at }) => at),
    ...plant.valves.filter((valve) => valve.line === line.number).map(({ at }) => at),
    ...line.markers.map(({ at }) => at),
  ];
  if (fittings.some((at) => length(subtract(at, point)) < flange * 2 + 1)) return undefined;
  for (let k = 1; k < line.points.length; k++) {
    const a = line.points[k - 1]!;
    const way = subtract(line.points[k]!, a);
    const unit = normalise(way);
    const along = dot(subtract(point, a), unit);
    const away = length(subtract(point, add(a, scale(unit, along))));
    if (along > od * 1.5 + 0.05 && along < length(way) - od * 1.5 - 0.05 && away < od) return away;
  }
  return undefined;
}

describe('range images of the demo plant', () => {
  let rays: PlantRays;
  let raysBefore: PlantRays;
  beforeAll(() => {
    rays = new PlantRays(createMesh(plant.parts).mesh);
    raysBefore = new PlantRays(createMesh(earlierParts).mesh);
  });

  it.each([
    ...plant.nodes.map((node) => [node.code, 'range', node] as const),
    ...plant.nodes
      .filter(({ code }) => earlierNodes.includes(code))
      .map((node) => [node.code, 'earlier', node] as const),
  ])('agree with rays into the description at 500 random pixels of %s (%s)', async (code, below, node) => {
    const image = await load(code, below);
    const random = seeded(1000 + plant.nodes.indexOf(node));
    const wrong: string[] = [];
    let returns = 0;
    for (let k = 0; k < 500; k++) {
      const x = Math.floor(random() * image.width);
      const y = Math.floor(random() * image.height);
      const stored = image.millimetres(x, y);
      if (stored > 0) returns++;
      // A ray that grazes an edge may hit or miss where sine and cosine differ in their last digit between machines. So
      // rays within a thousandth of a pixel are tried, and one must agree within a millimetre (half of it is rounding).
      const expectedBy = below === 'range' ? rays : raysBefore;
      const agrees = [
        [0, 0],
        [0.001, 0],
        [-0.001, 0],
        [0, 0.001],
        [0, -0.001],
      ].some(([dx, dy]) => {
        const expected = encodeRange(
          expectedBy.distance(node.position, pixelDirection(x + dx!, y + dy!, image.width, image.height, node.heading)),
        );
        return (expected === 0) === (stored === 0) && Math.abs(expected - stored) <= 1;
      });
      if (!agrees) wrong.push(`${x},${y}: ${stored} mm`);
    }
    expect(wrong).toEqual([]);
    expect(returns).toBeGreaterThan(150);
  });

  it('place measured points on the true cylinder of each pipe within 0.7 mm', async () => {
    const lines = new Map(plant.lines.map((line) => [line.id, line]));
    let measured = 0;
    let worst = 0;
    for (const node of plant.nodes) {
      const image = await load(node.code);
      const random = seeded(7 + plant.nodes.indexOf(node));
      for (let k = 0; k < 4000; k++) {
        const x = Math.floor(random() * image.width);
        const y = Math.floor(image.height * (0.1 + 0.8 * random()));
        const ray = pixelDirection(x, y, image.width, image.height, node.heading);
        const hit = rays.hit(node.position, ray);
        const line = hit && lines.get(hit.id);
        const stored = image.millimetres(x, y) / 1000;
        if (!line || stored === 0 || stored > 12) continue;
        const point = add(node.position, scale(ray, stored));
        const away = distanceToStraight(line, point);
        // For a grazing ray, rounding to a millimetre moves the point along the surface, not off it: all directions
        // count.
        if (away === undefined) continue;
        measured++;
        worst = Math.max(worst, Math.abs(away - line.outsideDiameter / 2 - line.insulation));
      }
    }
    expect(measured).toBeGreaterThan(300);
    // 0.15 mm of facets, 0.5 mm of rounding in the range.
    expect(worst).toBeLessThan(0.00068);
  });

  it('contain nothing beyond what 16 bits hold', () => {
    expect(encodeRange(maxRangeMetres)).toBe(65_535);
    expect(encodeRange(maxRangeMetres + 0.001)).toBe(0);
    expect(encodeRange(undefined)).toBe(0);
  });
});
