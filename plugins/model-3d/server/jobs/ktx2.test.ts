import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRTextureBasisu } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { ktx2Pictures, ktx2Pixel, ktx2Size as size } from '../../testing/server/ktx2-pictures.ts';
import { convertModel } from './convert-model.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-ktx2-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function writeModel(picture: Uint8Array): Promise<string> {
  const document = new Document();
  document.createExtension(KHRTextureBasisu).setRequired(true);
  const buffer = document.createBuffer();
  const material = document
    .createMaterial('painted')
    .setBaseColorTexture(document.createTexture('paint').setImage(picture).setMimeType('image/ktx2'));
  const positions = document
    .createAccessor()
    .setType('VEC3')
    .setArray(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]))
    .setBuffer(buffer);
  const textureCoordinates = document
    .createAccessor()
    .setType('VEC2')
    .setArray(new Float32Array([0, 1, 1, 1, 0, 0]))
    .setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setAttribute('POSITION', positions)
    .setAttribute('TEXCOORD_0', textureCoordinates);
  document.createScene().addChild(document.createNode('Sign').setMesh(document.createMesh().addPrimitive(primitive)));
  const file = path.join(folder, 'in.glb');
  fs.writeFileSync(file, await new NodeIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document));
  return file;
}

describe('KTX2 pictures', () => {
  it.each(['UASTC', 'ETC1S'] as const)('[TOUR-13] converts %s to WebP with colours and transparency', async (kind) => {
    const output = path.join(folder, 'out.glb');
    const { report } = await convertModel(await writeModel(ktx2Pictures[kind]), output);
    expect(report.notes).toEqual([]);
    const read = await new NodeIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ 'meshopt.decoder': MeshoptDecoder })
      .readBinary(new Uint8Array(fs.readFileSync(output)));
    expect(
      read
        .getRoot()
        .listExtensionsUsed()
        .map(({ extensionName }) => extensionName),
    ).not.toContain('KHR_texture_basisu');
    const [texture] = read.getRoot().listTextures();
    expect(texture?.getMimeType()).toBe('image/webp');
    const { data, info } = await sharp(texture!.getImage()!).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([size, size]);
    const readPixel = (x: number, y: number): readonly number[] => [
      ...data.subarray((y * size + x) * 4, (y * size + x) * 4 + 4),
    ];
    for (const [x, y] of [
      [5, 5],
      [26, 5],
      [5, 26],
      [26, 26],
    ] as const) {
      for (const [channel, value] of readPixel(x, y).entries())
        expect(Math.abs(value - ktx2Pixel(x, y)[channel]!), `${x} ${y} ${channel}`).toBeLessThan(30);
    }
  });

  it('[TOUR-13] imports a model without its damaged pictures and counts them', async () => {
    const { report } = await convertModel(
      await writeModel(ktx2Pictures.UASTC.subarray(0, 90)),
      path.join(folder, 'out.glb'),
    );
    expect(report).toMatchObject({ objects: 1, notes: [{ code: 'texturesDropped', count: 1 }] });
  });
});
