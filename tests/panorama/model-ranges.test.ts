import path from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { castRanges } from '../../plugins/model-3d/server/surfaces/range-caster.ts';

const renderedFolder = path.resolve(import.meta.dirname, '../../cli/demo/rendered/range');
const width = 512;

it('computes ranges that agree with those of the demo plant within 5 mm at 95 % of the pixels that both have', async () => {
  const { mesh } = createMesh(plant.parts);
  const triangles = Float64Array.from(
    { length: mesh.indices.length * 3 },
    (_, at) => mesh.positions[3 * mesh.indices[Math.floor(at / 3)]! + (at % 3)]!,
  );
  const nodes = [plant.nodes[0]!, plant.nodes[7]!];
  const views = nodes.map(({ position: [x, y, z], heading }) => ({ position: [x, y, z] as const, heading, width }));
  let index = 0;
  for await (const ranges of castRanges(views, Readable.from([triangles]), new AbortController().signal)) {
    const node = nodes[index++]!;
    const { data, info } = await sharp(path.join(renderedFolder, `${node.code}.webp`))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const scale = info.width / width;
    const read = (column: number, row: number): number => {
      const offset = 3 * (row * info.width + column);
      return data[offset]! * 256 + data[offset + 1]!;
    };
    let [comparedPixels, closePixels] = [0, 0];
    for (const [pixel, range] of ranges.entries()) {
      // The centre of the pixel is a corner of four pixels of the rendered image.
      const [column, row] = [(pixel % width) * scale + scale / 2, Math.floor(pixel / width) * scale + scale / 2];
      const neighbours = [read(column - 1, row - 1), read(column, row - 1), read(column - 1, row), read(column, row)];
      if (range === 0 || neighbours.some((other) => other === 0)) continue;
      comparedPixels++;
      if (range >= Math.min(...neighbours) - 5 && range <= Math.max(...neighbours) + 5) closePixels++;
    }
    expect(comparedPixels / ranges.length).toBeGreaterThan(0.3);
    expect(closePixels / comparedPixels).toBeGreaterThan(0.95);
  }
  expect(index).toBe(2);
});
