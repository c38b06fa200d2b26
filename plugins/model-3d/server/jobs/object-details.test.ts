import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileStore } from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { writePlantModel } from '../../testing/server/plant-model.ts';
import { writeIfc } from '../../testing/server/write-ifc.ts';
import { convertModel, toTilesFolder } from './convert-model.ts';
import { readObjects, type StoredObject } from './model-objects.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-objects-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Reads files by their path. */
const files = {
  read: async (id: string, range?: { readonly start: number; readonly end: number }, entry = '') =>
    fs.createReadStream(path.join(id, entry), range),
} as Partial<FileStore> as FileStore;

async function readConverted(
  content: string | Uint8Array,
  { tiled = false }: { readonly tiled?: boolean } = {},
): Promise<readonly StoredObject[]> {
  const [input, output] = [path.join(folder, 'source'), path.join(folder, 'model.glb')];
  fs.writeFileSync(input, content);
  fs.rmSync(toTilesFolder(output), { recursive: true, force: true });
  const { tiles } = await convertModel(input, output, tiled ? { tilingThresholds: { triangles: 1, bytes: 1 } } : {});
  expect(tiles > 0).toBe(tiled);
  return readObjects(files, tiled ? toTilesFolder(output) : output, tiled);
}

const plant = [
  {
    name: '/V-2101',
    at: [10, 20, 2] as const,
    extras: {
      id: 7,
      attributes: { DESIGN: { Tag: 'V-2101', Insulated: true } },
      list: [{ Name: 'Spec', Value: 'A1A' }, 5],
    },
    parts: [{ name: 'shell' }, { at: [3, 0, 1] as const }],
  },
];

describe('readObjects', () => {
  it.each([false, true])(
    '[TOUR-26] reads parents, nested attributes and boxes of objects (tiled: %s)',
    async (tiled) => {
      const objects = await readConverted(await writePlantModel(plant), { tiled });
      expect(objects.map(({ key, parent, within }) => [key, parent, within])).toEqual([
        ['7', undefined, []],
        ['shell', 0, ['/V-2101']],
        ['object', 0, ['/V-2101']],
      ]);
      expect(objects[0]?.attributes).toEqual({
        id: '7',
        'attributes.DESIGN.Tag': 'V-2101',
        'attributes.DESIGN.Insulated': 'true',
        'list.Spec': 'A1A',
        'list.1': '5',
      });
      const round = (object: StoredObject | undefined) => object?.box?.map((value) => Math.round(value * 100) / 100);
      expect(objects.map(round)).toEqual([
        [10, 19, 2, 14, 20, 4],
        [10, 19, 2, 11, 20, 3],
        [13, 19, 3, 14, 20, 4],
      ]);
    },
  );

  it('keeps a limited number of attributes', async () => {
    const manyAttributes = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`a${index}`, 'x'.repeat(900)]),
    );
    const deep = JSON.parse('{"a":'.repeat(40) + '1' + '}'.repeat(40)) as object;
    const [object] = await readConverted(
      await writePlantModel([{ name: 'A', extras: { deep, many: manyAttributes } }]),
    );
    const attributes = Object.values(object?.attributes ?? {});
    expect(attributes).toHaveLength(100);
    expect(Math.max(...attributes.map(({ length }) => length))).toBe(500);
  });

  it('[TOUR-26] reads the property sets of IFC, and prefers those of an element to those of its type', async () => {
    const objects = await readConverted(
      writeIfc({ boxes: 2, unit: 'IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)', tagged: true }),
    );
    expect(objects.flatMap(({ name, attributes }) => (name.startsWith('Box') ? [attributes] : []))).toMatchObject([
      { 'properties.Pset_Plant.Tag': 'V-2100', 'properties.Pset_Plant.Maker': 'Acme', type: 'IfcBuildingElementProxy' },
      { 'properties.Pset_Plant.Tag': 'V-2101', 'properties.Pset_Plant.Maker': 'Acme' },
    ]);
  });

  itWithSampleData(
    '[TOUR-26] reads property sets and boxes of real models',
    ['model3d/ifc/example.ifc', 'model3d/gltf/3d_industrial_tanker.glb'],
    async ([ifc = '', glb = '']) => {
      const house = await readConverted(fs.readFileSync(ifc));
      expect(
        house.some(({ attributes }) => Object.keys(attributes).some((name) => name.startsWith('properties.'))),
      ).toBe(true);
      for (const objects of [house, await readConverted(fs.readFileSync(glb))]) {
        expect(objects.some(({ box }) => box !== undefined)).toBe(true);
        for (const { parent } of objects.slice(1)) expect(parent ?? -1).toBeLessThan(objects.length);
      }
    },
  );
});
