import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer';
import { afterAll, describe, expect, it } from 'vitest';
import { itWithSampleData } from '#core/testing/sample-data';
import { buildBoxes } from '../../testing/server/box-model.ts';
import { convertModel } from './convert-model.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-model-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const createGltfIo = async (): Promise<NodeIO> =>
  new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'meshopt.decoder': MeshoptDecoder,
    'draco3d.decoder': await draco3d.createDecoderModule(),
    'draco3d.encoder': await draco3d.createEncoderModule(),
  });

async function writeModelFile(name: string, content: Document | string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content instanceof Document ? await (await createGltfIo()).writeBinary(content) : content);
  return file;
}

describe('convertModel', () => {
  const output = path.join(folder, 'out.glb');

  it('[TOUR-13] merges equal meshes, compresses, and keeps every tag', async () => {
    const { report, bounds } = await convertModel(await writeModelFile('boxes.glb', buildBoxes(200)), output);
    expect(report).toMatchObject({
      source: 'GLB',
      objects: 200,
      tagged: 200,
      triangles: 2400,
      meshesBefore: 200,
      meshesAfter: 1,
      notes: [],
    });
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore * 0.5);
    expect(bounds.min.map((value) => Math.round(value * 1000) / 1000)).toEqual([0, 2, 0]);
    expect(bounds.max.map((value) => Math.round(value * 1000) / 1000)).toEqual([399, 3, 1]);
    const read = await (await createGltfIo()).readBinary(new Uint8Array(fs.readFileSync(output)));
    const tags = read
      .getRoot()
      .listNodes()
      .flatMap((node) => node.getExtras()['tag'] ?? []);
    expect(new Set(tags).size).toBe(200);
    expect(
      read
        .getRoot()
        .listNodes()
        .every((node) => !node.getMesh() || node.getExtras()['object'] !== undefined),
    ).toBe(true);
  });

  it('[TOUR-13] decodes Draco, so that browsers need no decoder', async () => {
    const document = buildBoxes(3);
    document.createExtension(KHRDracoMeshCompression).setRequired(true);
    const { report } = await convertModel(await writeModelFile('draco.glb', document), output);
    expect(report).toMatchObject({ objects: 3, triangles: 36 });
    expect(fs.readFileSync(output, 'latin1')).not.toContain('KHR_draco_mesh_compression');
  });

  it('[TOUR-13] reports omitted content', async () => {
    const document = buildBoxes(2);
    const [first, second] = document.getRoot().listMeshes();
    second!.setExtras({ tag: 'V-1' });
    first!.listPrimitives()[0]!.clone().setMode(1);
    const line = document
      .createPrimitive()
      .setMode(1)
      .setAttribute('POSITION', first!.listPrimitives()[0]!.getAttribute('POSITION')!);
    first!.addPrimitive(line);
    document.createAnimation('turning');
    const { report } = await convertModel(await writeModelFile('odd.glb', document), output);
    expect(report.notes).toEqual([
      { code: 'animationsDropped', count: 1 },
      { code: 'linesDropped', count: 1 },
      { code: 'tagsRepeated', count: 1 },
    ]);
  });

  it.each([
    [
      'a truncated file',
      async () => fs.readFileSync(await writeModelFile('whole.glb', buildBoxes(4))).subarray(0, 900),
      /incomplete/,
    ],
    [
      'glTF that refers to other files',
      async () => JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'plant.bin', byteLength: 4 }] }),
      /plant\.bin.*GLB/,
    ],
    ['glTF 1', async () => JSON.stringify({ asset: { version: '1.0' } }), /version 2/],
    ['a picture', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]), /not a readable model/],
    [
      'a model without surfaces',
      async () => JSON.stringify({ asset: { version: '2.0' }, scenes: [{}], scene: 0 }),
      /no surface/,
    ],
    [
      'a model that is too large',
      async () =>
        JSON.stringify({ asset: { version: '2.0' }, accessors: [{ count: 4e9, type: 'VEC3', componentType: 5126 }] }),
      /too large/,
    ],
    ['a broken IFC', async () => 'ISO-10303-21;\nHEADER;\nENDSEC;\n', /IFC file is incomplete: its end is missing/],
  ])('[TOUR-13] refuses %s with a reason', async (_, content, message) => {
    await expect(convertModel(await writeModelFile('bad', await content()), output)).rejects.toThrow(message);
  });

  itWithSampleData(
    '[TOUR-13] reads real models in glTF and IFC',
    [
      'model3d/gltf/3d_industrial_tanker.glb',
      'model3d/ifc/IfcOpenHouse_IFC4.ifc',
      'model3d/ifc/Sample_entities.ifc',
      'model3d/3dtiles/1.1/MetadataGranularities/house-3-0.glb',
    ],
    async (files) => {
      const reports = [];
      for (const file of files) reports.push((await convertModel(file, output)).report);
      expect(reports.map((report) => report.source)).toEqual(['GLB', 'IFC', 'IFC', 'GLB']);
      for (const report of reports) expect(report.triangles).toBeGreaterThan(0);
      expect(reports[1]!.objects).toBeGreaterThan(5);
    },
  );

  itWithSampleData('[TOUR-13] opens each real model, or refuses it with a reason', ['model3d'], async ([data]) => {
    const models = fs
      .readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(glb|gltf|ifc|b3dm|pnts)$/.test(file))
      .sort();
    const messages: Record<string, string> = {};
    for (const file of models) {
      try {
        expect((await convertModel(path.join(data, file), output)).report.triangles, file).toBeGreaterThan(0);
      } catch (error) {
        messages[file] = error instanceof Error ? error.message : String(error);
      }
    }
    expect(models.length).toBeGreaterThan(20);
    expect(Object.keys(messages).filter((file) => !/\.(b3dm|pnts)$/.test(file))).toEqual([]);
    for (const message of Object.values(messages))
      expect(message).toBe(
        'This file is not a readable model. Please choose a GLB, a self-contained glTF, an IFC file, or 3D ' +
          'Tiles in a ZIP file.',
      );
  });
});
