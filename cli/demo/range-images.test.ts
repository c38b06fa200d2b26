import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMesh } from './geometry/plant-mesh.ts';
import { PlantRays } from './geometry/plant-rays.ts';
import { recapturedNodes, partsAtEarlierCapture } from './plant/earlier.ts';
import { plant } from './plant/plant.ts';
import { getPipeSize } from './plant/pipe-sizes.ts';
import type { Line, Point } from './plant/types.ts';
import { add, dot, length, normalise, scale, createRandom, subtract } from './plant/vector.ts';
import { computePixelDirection } from './render/equirectangular.ts';
import { encodeRange, maxRangeMetres } from './render/range-image.ts';

const folder = join(import.meta.dirname, 'rendered');

interface RangeImage {
  readonly width: number;
  readonly height: number;
  getMillimetres(x: number, y: number): number;
}

async function load(code: string, folderName = 'range'): Promise<RangeImage> {
  const { data, info } = await sharp(join(folder, folderName, `${code}.webp`))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    getMillimetres: (x, y) => data[(y * info.width + x) * 3]! * 256 + data[(y * info.width + x) * 3 + 1]!,
  };
}

/**
 * Distance of a point to the centre line of a straight run; undefined for points near elbows, flanges, valves and
 * markers.
 */
function computeDistanceToLine(line: Line, point: Point): number | undefined {
  const od = line.outsideDiameter;
  const flange = getPipeSize(line.nps).flange.diameter / 1000;
  const fittings = [
    ...line.flanges.map(({ at }) => at),
    ...plant.valves.filter((valve) => valve.line === line.number).map(({ at }) => at),
    ...line.markers.map(({ at }) => at),
  ];
  if (fittings.some((at) => length(subtract(at, point)) < flange * 2 + 1)) return undefined;
  for (let k = 1; k < line.points.length; k++) {
    const a = line.points[k - 1]!;
    const run = subtract(line.points[k]!, a);
    const runDirection = normalise(run);
    const along = dot(subtract(point, a), runDirection);
    const distance = length(subtract(point, add(a, scale(runDirection, along))));
    if (along > od * 1.5 + 0.05 && along < length(run) - od * 1.5 - 0.05 && distance < od) return distance;
  }
  return undefined;
}

describe('range images of the demo plant', () => {
  let rays: PlantRays;
  let earlierRays: PlantRays;
  beforeAll(() => {
    rays = new PlantRays(createMesh(plant.parts).mesh);
    earlierRays = new PlantRays(createMesh(partsAtEarlierCapture).mesh);
  });

  it.each([
    ...plant.nodes.map((node) => [node.code, 'range', node] as const),
    ...plant.nodes
      .filter(({ code }) => recapturedNodes.includes(code))
      .map((node) => [node.code, 'earlier', node] as const),
  ])('agree with rays into the description at 500 random pixels of %s (%s)', async (code, folderName, node) => {
    const image = await load(code, folderName);
    const random = createRandom(1000 + plant.nodes.indexOf(node));
    const differences: string[] = [];
    let returns = 0;
    for (let k = 0; k < 500; k++) {
      const x = Math.floor(random() * image.width);
      const y = Math.floor(random() * image.height);
      const storedMillimetres = image.getMillimetres(x, y);
      if (storedMillimetres > 0) returns++;
      // A ray at an edge may hit or miss, because sine and cosine differ in the last digit between machines. So several
      // rays within a thousandth of a pixel are cast, and one must agree within a millimetre.
      const expectedRays = folderName === 'range' ? rays : earlierRays;
      const agrees = [
        [0, 0],
        [0.001, 0],
        [-0.001, 0],
        [0, 0.001],
        [0, -0.001],
      ].some(([dx, dy]) => {
        const expected = encodeRange(
          expectedRays.computeDistance(
            node.position,
            computePixelDirection(x + dx!, y + dy!, image.width, image.height, node.heading),
          ),
        );
        return (expected === 0) === (storedMillimetres === 0) && Math.abs(expected - storedMillimetres) <= 1;
      });
      if (!agrees) differences.push(`${x},${y}: ${storedMillimetres} mm`);
    }
    expect(differences).toEqual([]);
    expect(returns).toBeGreaterThan(150);
  });

  it('place measured points on the true cylinder of each pipe within 0.7 mm', async () => {
    const lines = new Map(plant.lines.map((line) => [line.id, line]));
    let measuredCount = 0;
    let maxDeviation = 0;
    for (const node of plant.nodes) {
      const image = await load(node.code);
      const random = createRandom(7 + plant.nodes.indexOf(node));
      for (let k = 0; k < 4000; k++) {
        const x = Math.floor(random() * image.width);
        const y = Math.floor(image.height * (0.1 + 0.8 * random()));
        const ray = computePixelDirection(x, y, image.width, image.height, node.heading);
        const hit = rays.findHit(node.position, ray);
        const line = hit && lines.get(hit.id);
        const storedMetres = image.getMillimetres(x, y) / 1000;
        if (!line || storedMetres === 0 || storedMetres > 12) continue;
        const point = add(node.position, scale(ray, storedMetres));
        const distance = computeDistanceToLine(line, point);
        // Rounding the range moves the point along the ray: for a grazing ray along the surface, not away from it.
        if (distance === undefined) continue;
        measuredCount++;
        maxDeviation = Math.max(maxDeviation, Math.abs(distance - line.outsideDiameter / 2 - line.insulation));
      }
    }
    expect(measuredCount).toBeGreaterThan(300);
    // The facets add up to 0.15 mm, and the rounding of ranges up to 0.5 mm.
    expect(maxDeviation).toBeLessThan(0.00068);
  });

  it('store 0 for a distance that 16 bits cannot store', () => {
    expect(encodeRange(maxRangeMetres)).toBe(65_535);
    expect(encodeRange(maxRangeMetres + 0.001)).toBe(0);
    expect(encodeRange(undefined)).toBe(0);
  });
});
