import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeIO, type Node } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import { afterAll, expect, it } from 'vitest';
import { createPlantModel } from './model/plant-model.ts';
import { plant } from './plant/plant.ts';

const folder = await mkdtemp(join(tmpdir(), 'walkdown-model-'));
afterAll(() => rm(folder, { recursive: true }));

const getNodePath = (node: Node): readonly string[] => {
  const parent = node.getParentNode();
  return [...(parent ? getNodePath(parent) : []), node.getName()];
};

it('[TOUR-13] has deck, system and object levels with every tag, accurate to the millimetre', async () => {
  const { file, bounds, report } = await createPlantModel(plant, folder).make();
  expect(file.bytes).toBeLessThan(12_000_000);
  expect(report.triangles).toBeGreaterThan(500_000);
  expect(bounds.max[2]).toBeGreaterThan(7);

  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const document = await io.readBinary(new Uint8Array(await readFile(file.path)));
  const nodes = document.getRoot().listNodes();
  const byTag = new Map(
    nodes.flatMap((node) =>
      typeof node.getExtras()['tag'] === 'string' ? [[String(node.getExtras()['tag']), node] as const] : [],
    ),
  );
  for (const { tag } of plant.tags) expect(byTag.has(tag), tag).toBe(true);
  for (const { number } of plant.lines) expect(byTag.has(number), number).toBe(true);

  const vessel = plant.equipment.find((part) => part.kind === 'vessel');
  if (vessel?.kind !== 'vessel') throw new Error('The demo plant has no vessel.');
  expect(getNodePath(byTag.get(vessel.tag)!)).toEqual(['Process deck', 'Equipment', vessel.tag]);

  const line = plant.lines.find((candidate) => candidate.points.length === 2) ?? plant.lines[0]!;
  const node = byTag.get(line.number)!;
  const matrix = node.getWorldMatrix();
  const [ax, ay, az] = line.points[0]!;
  const radius = line.outsideDiameter / 2 + line.insulation;
  const deviations: number[] = [];
  for (const primitive of node.getMesh()!.listPrimitives()) {
    const positions = primitive.getAttribute('POSITION')!;
    for (let index = 0; index < positions.getCount(); index++) {
      const [x = 0, y = 0, z = 0]: readonly number[] = positions.getElement(index, []);
      const [wx, wy, wz] = [0, 1, 2].map(
        (row) => matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z + matrix[12 + row]!,
      ) as [number, number, number];
      // Converted to z up. The wall of the first straight run is one radius away from the centre line.
      const [px, py, pz] = [wx - ax, -wz - ay, wy - az];
      const [bx, by, bz] = line.points[1]!;
      const runLength = Math.hypot(bx - ax, by - ay, bz - az);
      const along = (px * (bx - ax) + py * (by - ay) + pz * (bz - az)) / runLength;
      const distance = Math.sqrt(Math.max(0, px * px + py * py + pz * pz - along * along));
      if (along > -0.01 && along < runLength * 0.6 && Math.abs(distance - radius) < 0.002)
        deviations.push(Math.abs(distance - radius));
    }
  }
  expect(deviations.length).toBeGreaterThan(10);
  expect(Math.max(...deviations)).toBeLessThan(0.001);
});
