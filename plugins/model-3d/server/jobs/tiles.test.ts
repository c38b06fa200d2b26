import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Document, getBounds, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshGPUInstancing } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { itWithSampleData } from '#core/testing/sample-data';
import { toBox, type TiledObjects } from '../../contract/index.ts';
import { buildZip } from '#core/testing/server';
import { convertModel, toTilesFolder } from './convert-model.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-tiles-'));
const [input, output] = [path.join(folder, 'in'), path.join(folder, 'out.glb')];
const tiles = toTilesFolder(output);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(() => fs.rmSync(tiles, { recursive: true, force: true }));

interface Tile {
  readonly boundingVolume: { readonly box: readonly number[] };
  readonly geometricError: number;
  readonly refine: 'ADD' | 'REPLACE';
  readonly content?: { readonly uri: string };
  readonly children?: readonly Tile[];
}
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
const readRoot = (): Tile =>
  (JSON.parse(fs.readFileSync(path.join(tiles, 'tileset.json'), 'utf8')) as { readonly root: Tile }).root;
const readObjects = (): TiledObjects['objects'] =>
  (JSON.parse(gunzipSync(fs.readFileSync(path.join(tiles, 'objects.json.gz'))).toString('utf8')) as TiledObjects)
    .objects;
const listTiles = (tile: Tile): readonly Tile[] => [tile, ...(tile.children ?? []).flatMap(listTiles)];
const readGlb = (uri: string): Buffer<ArrayBuffer> => gunzipSync(fs.readFileSync(path.join(tiles, uri)));
const readKeys = async (uri: string): Promise<readonly unknown[]> =>
  (await io.readBinary(readGlb(uri)))
    .getRoot()
    .listNodes()
    .flatMap((node) => node.getExtras()['object'] ?? []);

/** Writes 400 tagged boxes of 1 m on a floor, 20 by 20 at a distance of 4 m, all below a rotated group. */
async function writeBoxField(picture?: Uint8Array): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
  const faces = new Uint16Array([
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5,
  ]);
  const material = document.createMaterial('grey');
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setIndices(document.createAccessor().setType('SCALAR').setArray(faces).setBuffer(buffer))
    .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(corners).setBuffer(buffer));
  if (picture) {
    material.setBaseColorTexture(document.createTexture('paint').setImage(picture).setMimeType('image/png'));
    primitive.setAttribute(
      'TEXCOORD_0',
      document.createAccessor().setType('VEC2').setArray(new Float32Array(16)).setBuffer(buffer),
    );
  }
  const mesh = document.createMesh().addPrimitive(primitive);
  const group = document.createNode('Deck').setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2]).setTranslation([5, 0, 0]);
  document.createScene().addChild(group);
  group.addChild(
    document.createNode('Floor').setMesh(mesh).setScale([80, 0.1, 80]).setExtras({ GlobalId: 'floor-guid' }),
  );
  for (let index = 0; index < 400; index++)
    group.addChild(
      document
        .createNode(`Box ${index}`)
        .setMesh(mesh)
        .setTranslation([(index % 20) * 4, 0.1, Math.floor(index / 20) * 4])
        .setExtras({ tag: `B-${index}`, pressure: 12 }),
    );
  return io.writeBinary(document);
}
const tilingThresholds = { triangles: 1, bytes: 1 };
/** Creates a picture of many colours, because one of a single colour would be replaced by that colour. */
const createPicture = (): Promise<Buffer> =>
  sharp(Buffer.from(Array.from({ length: 48 }, (_, index) => index * 5)), { raw: { width: 4, height: 4, channels: 3 } })
    .png()
    .toBuffer();

describe('convertModel with a large model', () => {
  it('[TOUR-13] lists all objects with tags, properties and boxes', async () => {
    fs.writeFileSync(input, await writeBoxField());
    const { tiles: count, bounds, report } = await convertModel(input, output, { tilingThresholds });
    expect(count).toBe(1);
    expect(report).toMatchObject({ source: 'GLB', objects: 401, tagged: 400, triangles: 401 * 12 });
    expect(fs.existsSync(output)).toBe(false);
    const rows = readObjects();
    expect(rows).toHaveLength(402);
    expect(rows[0]!.slice(0, 4)).toEqual([-1, 'Deck', 'Deck', null]);
    expect(rows[1]!.slice(0, 4)).toEqual([0, 'floor-guid', 'Floor', null]);
    const box = rows.find(([, key]) => key === 'B-21')!;
    expect(box.slice(0, 4)).toEqual([0, 'B-21', 'Box 21', 'B-21']);
    expect(box[5]).toEqual(['pressure', '12']);
    // Rotated by 90 degrees about y and moved by 5: (4, 0.1, 4) becomes (9, 0.1, -4), which is (9, 4, 0.1) z up.
    expect(toBox(box)!.min.map((value) => Math.round(value * 100) / 100)).toEqual([9, 4, 0.1]);
    expect(bounds.max[0] - bounds.min[0]).toBeCloseTo(80, 2);
  });

  it('[TOUR-13] puts each object inside the box of exactly one tile', async () => {
    // Gives each box 40 times as many triangles, so that they do not fit into one tile.
    const document = await io.readBinary(await writeBoxField());
    const mesh = document.getRoot().listMeshes()[0]!;
    const primitive = mesh.listPrimitives()[0]!;
    const faces = primitive.getIndices()!;
    faces.setArray(Uint16Array.from({ length: 36 * 40 }, (_, index) => faces.getArray()![index % 36]!));
    fs.writeFileSync(input, await io.writeBinary(document));
    const { tiles: count } = await convertModel(input, output, { tilingThresholds });
    expect(count).toBeGreaterThan(1);
    const contentTiles = listTiles(readRoot()).filter((tile) => tile.content);
    expect(contentTiles).toHaveLength(count);
    const keys = (await Promise.all(contentTiles.map(({ content }) => readKeys(content!.uri))))
      .flat()
      .filter((key) => key !== 'Deck');
    expect(keys.length).toBe(401);
    expect(new Set(keys).size).toBe(401);
    for (const tile of listTiles(readRoot()))
      for (const child of tile.children ?? []) expect(child.geometricError).toBeLessThan(tile.geometricError);
    const rows = new Map(readObjects().map((row) => [row[1], toBox(row)]));
    for (const { content, boundingVolume } of contentTiles) {
      const [x = 0, y = 0, z = 0, halfX = 0, , , , halfY = 0, , , , halfZ = 0] = boundingVolume.box;
      for (const key of await readKeys(content!.uri)) {
        const box = rows.get(String(key));
        if (!box) continue;
        for (const [axis, [middle, half]] of [
          [x, halfX],
          [y, halfY],
          [z, halfZ],
        ].entries()) {
          expect(box.min[axis]).toBeGreaterThanOrEqual(middle! - half! - 0.002);
          expect(box.max[axis]).toBeLessThanOrEqual(middle! + half! + 0.002);
        }
      }
    }
  });

  it('[TOUR-13] stores pictures that tiles share once, as separate files', async () => {
    fs.writeFileSync(input, await writeBoxField(await createPicture()));
    await convertModel(input, output, { tilingThresholds });
    expect(fs.readdirSync(path.join(tiles, 'pictures'))).toEqual(['0.webp']);
    const glb = readGlb('tiles/0.glb.gz');
    expect(JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)))).toMatchObject({
      images: [{ uri: '../pictures/0.webp' }],
    });
  });

  it.each([
    ['as one file', undefined],
    ['in tiles', tilingThresholds],
  ])('[TOUR-13] counts and bounds all instances of a mesh %s', async (_, threshold) => {
    const document = await io.readBinary(await writeHouse());
    const [node] = document.getRoot().listNodes();
    const translations = document
      .createAccessor()
      .setType('VEC3')
      .setArray(new Float32Array([0, 0, 0, 100, 0, 0]))
      .setBuffer(document.getRoot().listBuffers()[0]!);
    node!.setExtension(
      'EXT_mesh_gpu_instancing',
      document.createExtension(EXTMeshGPUInstancing).createInstancedMesh().setAttribute('TRANSLATION', translations),
    );
    fs.writeFileSync(input, await io.writeBinary(document));
    const { bounds, report } = await convertModel(input, output, threshold ? { tilingThresholds: threshold } : {});
    expect(bounds.max[0]).toBeCloseTo(102, 3);
    expect(report).toMatchObject({ objects: 1, triangles: 2 });
    if (!threshold) return;
    expect(toBox(readObjects()[0]!)!.max[0]).toBeCloseTo(102, 3);
    const tile = await io.readBinary(readGlb('tiles/0.glb.gz'));
    expect(getBounds(tile.getRoot().listScenes()[0]!).max[0]).toBeCloseTo(102, 2);
  });

  it('[TOUR-13] writes a small model as one file', async () => {
    fs.writeFileSync(input, await writeBoxField());
    expect((await convertModel(input, output)).tiles).toBe(0);
    expect(fs.existsSync(tiles)).toBe(false);
  });
});

const writeHouse = (extras: Record<string, unknown> = {}): Promise<Uint8Array> => {
  const document = new Document();
  const buffer = document.createBuffer();
  const primitive = document.createPrimitive().setAttribute(
    'POSITION',
    document
      .createAccessor()
      .setType('VEC3')
      .setArray(new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0]))
      .setBuffer(buffer),
  );
  document
    .createScene()
    .addChild(document.createNode('house').setMesh(document.createMesh().addPrimitive(primitive)).setExtras(extras));
  return io.writeBinary(document);
};
const buildTileset = (tile: object): string =>
  JSON.stringify({
    asset: { version: '1.1' },
    geometricError: 50,
    root: {
      boundingVolume: { box: [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9] },
      geometricError: 10,
      refine: 'ADD',
      ...tile,
    },
  });
const buildEmptyGlb = (json: object): Buffer => {
  const text = Buffer.from(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const header = Buffer.alloc(20);
  header.write('glTF');
  for (const [offset, value] of [
    [4, 2],
    [8, 20 + text.length],
    [12, text.length],
    [16, 0x4e4f534a],
  ] as const)
    header.writeUInt32LE(value, offset);
  return Buffer.concat([header, text]);
};
/** An i3dm with one instance, at the origin, of the glTF at a relative address. */
function buildInstance(address: string): Buffer {
  const table = '{"INSTANCES_LENGTH":1,"POSITION":{"byteOffset":0}}';
  const text = Buffer.from(table.padEnd(Math.ceil(table.length / 8) * 8));
  const positions = Buffer.alloc(16);
  const addressBytes = Buffer.from(address.padEnd(Math.ceil(address.length / 8) * 8));
  const header = Buffer.alloc(32);
  header.write('i3dm');
  const length = header.length + text.length + positions.length + addressBytes.length;
  for (const [index, value] of [1, length, text.length, positions.length, 0, 0, 0].entries())
    header.writeUInt32LE(value, 4 * (index + 1));
  return Buffer.concat([header, text, positions, addressBytes]);
}
const writeZip = (entries: Readonly<Record<string, Uint8Array | string>>): void =>
  fs.writeFileSync(input, buildZip(entries));

/** A tile with implicit tiling: a quadtree of three levels, two of which are in each subtree. */
const implicitQuadtree = {
  content: { uri: 'content/{level}/{x}/{y}.glb' },
  implicitTiling: {
    subdivisionScheme: 'QUADTREE',
    subtreeLevels: 2,
    availableLevels: 3,
    subtrees: { uri: 'subtrees/{level}.{x}.{y}.subtree' },
  },
};
/** A binary subtree file with its availability bits, eight bytes for each bitstream. */
function buildSubtree(description: object, ...bits: readonly number[]): Buffer {
  const json = JSON.stringify({
    buffers: [{ byteLength: bits.length * 8 }],
    bufferViews: bits.map((_, index) => ({ buffer: 0, byteOffset: index * 8, byteLength: 8 })),
    ...description,
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 8) * 8));
  const header = Buffer.alloc(24);
  header.write('subt', 0, 'latin1');
  header.writeUInt32LE(1, 4);
  header.writeBigUInt64LE(BigInt(text.length), 8);
  header.writeBigUInt64LE(BigInt(bits.length * 8), 16);
  return Buffer.concat([header, text, Buffer.from(BigUint64Array.from(bits, BigInt).buffer)]);
}

describe('convertModel with 3D Tiles', () => {
  it('[TOUR-13] applies the transforms of nested tilesets', async () => {
    const translation = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1];
    writeZip({
      'site/tileset.json': buildTileset({
        transform: translation,
        children: [
          { boundingVolume: { sphere: [0, 0, 0, 9] }, geometricError: 5, content: { uri: 'inner/more.json' } },
        ],
      }),
      'site/inner/more.json': buildTileset({ transform: translation, content: { uri: 'a%20house.glb' } }),
      'site/inner/a house.glb': await writeHouse({ tag: 'H-1', material: 'brick' }),
    });
    const { bounds, report, tiles: count } = await convertModel(input, output);
    expect([count, report.source, report.objects, report.tagged]).toEqual([1, 'TILES', 1, 1]);
    expect(bounds).toEqual({ min: [20, 40, 60], max: [22, 40, 63] });
    expect(readObjects()[0]).toEqual([-1, 'H-1', 'house', 'H-1', [20, 40, 60, 22, 40, 63], ['material', 'brick']]);
  });

  it('[TOUR-13] accepts ZIP entry names with umlauts or percent signs', async () => {
    writeZip({
      'tileset.json': buildTileset({
        children: ['h%C3%A4user.glb', '50%.glb'].map((uri) => ({ geometricError: 0, content: { uri } })),
      }),
      'häuser.glb': await writeHouse({ tag: 'H-1' }),
      '50%.glb': await writeHouse({ tag: 'H-2' }),
    });
    expect((await convertModel(input, output)).report.objects).toBe(2);
  });

  it.each(['pumps', '100% pumps', 'pumps%20of%20deck'])(
    '[TOUR-13] decodes the address of an instanced mesh once in the folder "%s"',
    async (folderName) => {
      writeZip({
        'tileset.json': buildTileset({ content: { uri: `${encodeURIComponent(folderName)}/many.i3dm` } }),
        [`${folderName}/many.i3dm`]: buildInstance('a%20pump.glb'),
        [`${folderName}/a pump.glb`]: await writeHouse({ tag: 'P-1' }),
      });
      expect((await convertModel(input, output)).report).toMatchObject({ triangles: 1 });
    },
  );

  it('[TOUR-13] lists an object that is in a coarse and in a fine tile only once', async () => {
    const shape = await writeHouse({ GlobalId: 'G1' });
    writeZip({
      'tileset.json': buildTileset({
        refine: 'REPLACE',
        content: { uri: 'coarse.glb' },
        children: [
          {
            boundingVolume: { box: [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9] },
            geometricError: 0,
            content: { uri: 'fine.glb' },
          },
        ],
      }),
      'coarse.glb': shape,
      'fine.glb': shape,
    });
    const { report, tiles: count } = await convertModel(input, output);
    expect([count, report.objects]).toEqual([2, 1]);
    expect(readRoot()).toMatchObject({
      refine: 'REPLACE',
      geometricError: 10,
      children: [{ refine: 'REPLACE', geometricError: 0.001 }],
    });
  });

  it('[TOUR-13] expands implicit tiling', async () => {
    writeZip({
      'tileset.json': buildTileset(implicitQuadtree),
      'subtrees/0.0.0.subtree': buildSubtree(
        {
          tileAvailability: { bitstream: 0 },
          contentAvailability: [{ bitstream: 1 }],
          childSubtreeAvailability: { bitstream: 2 },
        },
        0b10011,
        0b10010,
        0,
      ),
      'content/1/0/0.glb': await writeHouse({ tag: 'H-1' }),
      'content/1/1/1.glb': await writeHouse({ tag: 'H-2' }),
    });
    const { tiles: count, report } = await convertModel(input, output);
    expect([count, report.objects]).toEqual([2, 2]);
    expect(readRoot()).toMatchObject({
      geometricError: 10,
      children: [{ geometricError: 5, content: { uri: 'tiles/0.glb.gz' } }, { geometricError: 5 }],
    });
    // A tile of the third level is in another subtree file.
    writeZip({
      'tileset.json': buildTileset(implicitQuadtree),
      'subtrees/0.0.0.subtree': buildSubtree(
        {
          tileAvailability: { bitstream: 0 },
          contentAvailability: [{ constant: 0 }],
          childSubtreeAvailability: { bitstream: 1 },
        },
        0b10011,
        1 << 15,
      ),
      'subtrees/2.3.3.subtree': JSON.stringify({
        tileAvailability: { constant: 1 },
        contentAvailability: [{ constant: 1 }],
        childSubtreeAvailability: { constant: 0 },
      }),
      'content/2/3/3.glb': await writeHouse({ tag: 'H-3' }),
    });
    expect((await convertModel(input, output)).report).toMatchObject({ objects: 1, tagged: 1 });
  });

  it.each([
    ['no tileset', { 'a.glb': 'x' }, /no “tileset\.json”/],
    ['a missing tile', { 'tileset.json': buildTileset({ content: { uri: 'gone.glb' } }) }, /“gone\.glb”.* missing/],
    [
      'a damaged tile',
      {
        'tileset.json': buildTileset({ content: { uri: 'a.glb' } }),
        'a.glb': Buffer.concat([Buffer.from('glTF'), Buffer.alloc(40, 1)]),
      },
      /“a\.glb”: The GLB is not version 2/,
    ],
    ['a damaged tileset', { 'tileset.json': '{"asset":' }, /not valid JSON/],
    ['an unsupported version', { 'tileset.json': '{"asset":{"version":"3.0"},"root":{}}' }, /1\.0 or 1\.1/],
    [
      'implicit tiling without parameters',
      { 'tileset.json': buildTileset({ implicitTiling: {} }) },
      /implicit tiling.*incomplete/,
    ],
    [
      'implicit tiling without its subtree files',
      { 'tileset.json': buildTileset(implicitQuadtree) },
      /“subtrees\/0\.0\.0\.subtree”.* missing/,
    ],
    [
      'a set that contains itself',
      { 'tileset.json': buildTileset({ content: { uri: 'tileset.json' } }) },
      /contains itself/,
    ],
    [
      'points without surfaces',
      { 'tileset.json': buildTileset({ content: { uri: 'a.pnts' } }), 'a.pnts': 'pnts' },
      /points.*point cloud/,
    ],
    [
      'a tile at another server',
      { 'tileset.json': buildTileset({ content: { uri: 'https://tiles.example/a.glb' } }) },
      /“https:\/\/tiles\.example\/a\.glb”, which is not in the ZIP file/,
    ],
    [
      'instances of a mesh at another server',
      {
        'tileset.json': buildTileset({ content: { uri: 'many.i3dm' } }),
        'many.i3dm': buildInstance('https://tiles.example/pump.glb'),
        'pump.glb': 'another one',
      },
      /“https:\/\/tiles\.example\/pump\.glb”, which is not in the ZIP file/,
    ],
    [
      'implicit tiling with too many levels',
      {
        'tileset.json': buildTileset({
          ...implicitQuadtree,
          implicitTiling: { ...implicitQuadtree.implicitTiling, availableLevels: 50_000 },
        }),
      },
      /has 50000 levels/,
    ],
    [
      'implicit tiling with subtrees at another server',
      {
        'tileset.json': buildTileset({
          implicitTiling: {
            subdivisionScheme: 'QUADTREE',
            subtreeLevels: 2,
            availableLevels: 2,
            subtrees: { uri: 'https://tiles.example/{level}.subtree' },
          },
        }),
      },
      /“https:\/\/tiles\.example\/0\.subtree”, which is not in the ZIP file/,
    ],
    [
      'sets that contain each other',
      {
        'tileset.json': buildTileset({ content: { uri: 'b.json' } }),
        'b.json': buildTileset({ content: { uri: './tileset.json' } }),
      },
      /contains itself/,
    ],
    [
      'a tile with its picture in another file',
      {
        'tileset.json': buildTileset({ content: { uri: 'a.glb' } }),
        'a.glb': buildEmptyGlb({ asset: { version: '2.0' }, images: [{ uri: 'brick.png' }] }),
      },
      /“a\.glb”.*“brick\.png”/,
    ],
    ['an entry outside the folder', { '../../tileset.json': buildTileset({}) }, /ZIP file/],
  ])('[TOUR-13] refuses %s with a reason', async (_, entries, message) => {
    writeZip(entries);
    await expect(convertModel(input, output)).rejects.toThrow(message);
  });

  it('[TOUR-13] refuses a truncated ZIP file', async () => {
    fs.writeFileSync(
      input,
      buildZip({ 'tileset.json': buildTileset({ content: { uri: 'a.glb' } }), 'a.glb': await writeHouse() }).subarray(
        0,
        300,
      ),
    );
    await expect(convertModel(input, output)).rejects.toThrow(/ZIP file cannot be opened/);
  });

  itWithSampleData(
    '[TOUR-13] levels a georeferenced sample of 1.0, whose features become objects',
    ['model3d/3dtiles/1.0/TilesetWithRequestVolume'],
    async ([samples]) => {
      const files = fs
        .readdirSync(samples, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
      writeZip(Object.fromEntries(files.map((file) => [path.relative(samples, file), fs.readFileSync(file)])));
      const { bounds, report } = await convertModel(input, output);
      expect(report).toMatchObject({ objects: 41, notes: [{ code: 'pointsDropped', count: 1 }] });
      // The houses stand at height 0, and a tower of 67 m is in the middle.
      expect(Math.abs(bounds.min[2])).toBeLessThan(0.1);
      expect(bounds.max[2]).toBeGreaterThan(60);
      expect(Math.max(...bounds.max, ...bounds.min.map(Math.abs))).toBeLessThan(250);
      const house9 = readObjects().find(([, key]) => key === 'city/ll#9')!;
      expect(house9[5]).toEqual(expect.arrayContaining(['Height']));
      const height = Number(house9[5][house9[5].indexOf('Height') + 1]);
      expect(toBox(house9)!.max[2] - toBox(house9)!.min[2]).toBeCloseTo(height, 1);
    },
  );

  itWithSampleData(
    '[TOUR-13] reads a sample of 1.1 with several GLB in a tile and properties of tile and content',
    ['model3d/3dtiles/1.1/MetadataGranularities'],
    async ([samples]) => {
      writeZip(
        Object.fromEntries(fs.readdirSync(samples).map((file) => [file, fs.readFileSync(path.join(samples, file))])),
      );
      const { tiles: count, report } = await convertModel(input, output);
      expect([count, report.objects, report.notes]).toEqual([4, 20, []]);
      expect(readObjects().find(([, key]) => key === 'house-3-0')![5]).toEqual([
        'district',
        'Callowhill',
        'population',
        '12',
        'vertices',
        '1032',
        'materials',
        '5',
      ]);
      for (const tile of listTiles(readRoot())) {
        if (!tile.content) continue;
        const document = await io.readBinary(readGlb(tile.content.uri));
        expect(getBounds(document.getRoot().listScenes()[0]!).min[1]).toBeCloseTo(0, 2);
      }
    },
  );
});
