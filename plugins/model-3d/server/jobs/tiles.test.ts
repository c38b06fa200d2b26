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
import { convertModel, tilesFolder } from './convert-model.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-tiles-'));
const [input, output] = [path.join(folder, 'in'), path.join(folder, 'out.glb')];
const tiles = tilesFolder(output);
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
const root = (): Tile =>
  (JSON.parse(fs.readFileSync(path.join(tiles, 'tileset.json'), 'utf8')) as { readonly root: Tile }).root;
const listed = (): TiledObjects['objects'] =>
  (JSON.parse(gunzipSync(fs.readFileSync(path.join(tiles, 'objects.json.gz'))).toString('utf8')) as TiledObjects)
    .objects;
const all = (tile: Tile): readonly Tile[] => [tile, ...(tile.children ?? []).flatMap(all)];
const readGlb = (uri: string): Buffer<ArrayBuffer> => gunzipSync(fs.readFileSync(path.join(tiles, uri)));
const keysIn = async (uri: string): Promise<readonly unknown[]> =>
  (await io.readBinary(readGlb(uri)))
    .getRoot()
    .listNodes()
    .flatMap((node) => node.getExtras()['object'] ?? []);

/** Boxes of 1 m in a field of 20 by 20, 4 m apart, on a floor; each with its tag, under a rotated group. */
async function field(picture?: Uint8Array): Promise<Uint8Array> {
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
const largeFrom = { triangles: 1, bytes: 1 };
/** A picture of a single colour would be replaced by that colour. */
const picture = (): Promise<Buffer> =>
  sharp(Buffer.from(Array.from({ length: 48 }, (_, at) => at * 5)), { raw: { width: 4, height: 4, channels: 3 } })
    .png()
    .toBuffer();

describe('a large model', () => {
  it('[TOUR-13] is tiled without splitting objects, large ones in upper tiles, with tags, properties and boxes in a list', async () => {
    fs.writeFileSync(input, await field());
    const { tiles: count, bounds, report } = await convertModel(input, output, { largeFrom });
    expect(count).toBe(1);
    expect(report).toMatchObject({ source: 'GLB', objects: 401, tagged: 400, triangles: 401 * 12 });
    expect(fs.existsSync(output)).toBe(false);
    const rows = listed();
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

  it('[TOUR-13] has every object in exactly one tile, inside its box, and errors that decrease from tile to tile', async () => {
    // Pipes with many corners, so that there is something to divide.
    const document = await io.readBinary(await field());
    const mesh = document.getRoot().listMeshes()[0]!;
    const primitive = mesh.listPrimitives()[0]!;
    const faces = primitive.getIndices()!;
    faces.setArray(Uint16Array.from({ length: 36 * 40 }, (_, at) => faces.getArray()![at % 36]!));
    fs.writeFileSync(input, await io.writeBinary(document));
    const { tiles: count } = await convertModel(input, output, { largeFrom });
    expect(count).toBeGreaterThan(1);
    const shown = all(root()).filter((tile) => tile.content);
    expect(shown).toHaveLength(count);
    const keys = (await Promise.all(shown.map(({ content }) => keysIn(content!.uri))))
      .flat()
      .filter((key) => key !== 'Deck');
    expect(keys.length).toBe(401);
    expect(new Set(keys).size).toBe(401);
    for (const tile of all(root()))
      for (const child of tile.children ?? []) expect(child.geometricError).toBeLessThan(tile.geometricError);
    const rows = new Map(listed().map((row) => [row[1], toBox(row)]));
    for (const { content, boundingVolume } of shown) {
      const [x = 0, y = 0, z = 0, halfX = 0, , , , halfY = 0, , , , halfZ = 0] = boundingVolume.box;
      for (const key of await keysIn(content!.uri)) {
        const own = rows.get(String(key));
        if (!own) continue;
        for (const [axis, [middle, half]] of [
          [x, halfX],
          [y, halfY],
          [z, halfZ],
        ].entries()) {
          expect(own.min[axis]).toBeGreaterThanOrEqual(middle! - half! - 0.002);
          expect(own.max[axis]).toBeLessThanOrEqual(middle! + half! + 0.002);
        }
      }
    }
  });

  it('[TOUR-13] stores pictures that tiles share once, as separate files', async () => {
    fs.writeFileSync(input, await field(await picture()));
    await convertModel(input, output, { largeFrom });
    expect(fs.readdirSync(path.join(tiles, 'pictures'))).toEqual(['0.webp']);
    const glb = readGlb('tiles/0.glb.gz');
    expect(JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)))).toMatchObject({
      images: [{ uri: '../pictures/0.webp' }],
    });
  });

  it.each([
    ['as one file', undefined],
    ['in tiles', largeFrom],
  ])('[TOUR-13] shows a shape everywhere its instances are, %s', async (_, from) => {
    const document = await io.readBinary(await house());
    const [node] = document.getRoot().listNodes();
    const places = document
      .createAccessor()
      .setType('VEC3')
      .setArray(new Float32Array([0, 0, 0, 100, 0, 0]))
      .setBuffer(document.getRoot().listBuffers()[0]!);
    node!.setExtension(
      'EXT_mesh_gpu_instancing',
      document.createExtension(EXTMeshGPUInstancing).createInstancedMesh().setAttribute('TRANSLATION', places),
    );
    fs.writeFileSync(input, await io.writeBinary(document));
    const { bounds, report } = await convertModel(input, output, from ? { largeFrom: from } : {});
    expect(bounds.max[0]).toBeCloseTo(102, 3);
    expect(report).toMatchObject({ objects: 1, triangles: 2 });
    if (!from) return;
    expect(toBox(listed()[0]!)!.max[0]).toBeCloseTo(102, 3);
    const tile = await io.readBinary(readGlb('tiles/0.glb.gz'));
    expect(getBounds(tile.getRoot().listScenes()[0]!).max[0]).toBeCloseTo(102, 2);
  });

  it('[TOUR-13] stays one file while it is small', async () => {
    fs.writeFileSync(input, await field());
    expect((await convertModel(input, output)).tiles).toBe(0);
    expect(fs.existsSync(tiles)).toBe(false);
  });
});

const house = (extras: Record<string, unknown> = {}): Promise<Uint8Array> => {
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
const set = (tile: object): string =>
  JSON.stringify({
    asset: { version: '1.1' },
    geometricError: 50,
    root: { boundingVolume: { box: [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9] }, geometricError: 10, refine: 'ADD', ...tile },
  });
const emptyGlb = (json: object): Buffer => {
  const text = Buffer.from(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write('glTF');
  for (const [at, value] of [
    [4, 2],
    [8, 20 + text.length],
    [12, text.length],
    [16, 0x4e4f534a],
  ] as const)
    head.writeUInt32LE(value, at);
  return Buffer.concat([head, text]);
};
/** One instance at the origin of the glTF at a relative address. */
function instance(address: string): Buffer {
  const table = '{"INSTANCES_LENGTH":1,"POSITION":{"byteOffset":0}}';
  const text = Buffer.from(table.padEnd(Math.ceil(table.length / 8) * 8));
  const positions = Buffer.alloc(16);
  const named = Buffer.from(address.padEnd(Math.ceil(address.length / 8) * 8));
  const head = Buffer.alloc(32);
  head.write('i3dm');
  const length = head.length + text.length + positions.length + named.length;
  for (const [index, value] of [1, length, text.length, positions.length, 0, 0, 0].entries())
    head.writeUInt32LE(value, 4 * (index + 1));
  return Buffer.concat([head, text, positions, named]);
}
const pack = (entries: Readonly<Record<string, Uint8Array | string>>): void =>
  fs.writeFileSync(input, buildZip(entries));

/**
 * A quadtree with two levels per subtree and three in total: root, its first and last child, and below the last one
 * another tile in its own subtree.
 */
const byRule = {
  content: { uri: 'content/{level}/{x}/{y}.glb' },
  implicitTiling: {
    subdivisionScheme: 'QUADTREE',
    subtreeLevels: 2,
    availableLevels: 3,
    subtrees: { uri: 'subtrees/{level}.{x}.{y}.subtree' },
  },
};
/** Availability bits, eight bytes each. */
function subtree(json: object, ...bits: readonly number[]): Buffer {
  const said = JSON.stringify({
    buffers: [{ byteLength: bits.length * 8 }],
    bufferViews: bits.map((_, index) => ({ buffer: 0, byteOffset: index * 8, byteLength: 8 })),
    ...json,
  });
  const text = Buffer.from(said.padEnd(Math.ceil(said.length / 8) * 8));
  const head = Buffer.alloc(24);
  head.write('subt', 0, 'latin1');
  head.writeUInt32LE(1, 4);
  head.writeBigUInt64LE(BigInt(text.length), 8);
  head.writeBigUInt64LE(BigInt(bits.length * 8), 16);
  return Buffer.concat([head, text, Buffer.from(BigUint64Array.from(bits, BigInt).buffer)]);
}

describe('delivered 3D Tiles', () => {
  it('[TOUR-13] apply all transforms, also of nested tilesets, and take names from the metadata', async () => {
    const moved = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1];
    pack({
      'site/tileset.json': set({
        transform: moved,
        children: [
          { boundingVolume: { sphere: [0, 0, 0, 9] }, geometricError: 5, content: { uri: 'inner/more.json' } },
        ],
      }),
      'site/inner/more.json': set({ transform: moved, content: { uri: 'a%20house.glb' } }),
      'site/inner/a house.glb': await house({ tag: 'H-1', material: 'brick' }),
    });
    const { bounds, report, tiles: count } = await convertModel(input, output);
    expect([count, report.source, report.objects, report.tagged]).toEqual([1, 'TILES', 1, 1]);
    expect(bounds).toEqual({ min: [20, 40, 60], max: [22, 40, 63] });
    expect(listed()[0]).toEqual([-1, 'H-1', 'house', 'H-1', [20, 40, 60, 22, 40, 63], ['material', 'brick']]);
  });

  it('[TOUR-13] accept entry names in UTF-8 without the flag and names that are not valid in addresses', async () => {
    pack({
      'tileset.json': set({
        children: ['h%C3%A4user.glb', '50%.glb'].map((uri) => ({ geometricError: 0, content: { uri } })),
      }),
      'häuser.glb': await house({ tag: 'H-1' }),
      '50%.glb': await house({ tag: 'H-2' }),
    });
    expect((await convertModel(input, output)).report.objects).toBe(2);
  });

  it.each(['pumps', '100% pumps', 'pumps%20of%20deck'])(
    '[TOUR-13] decode the address of an instanced mesh once, in a folder "%s"',
    async (place) => {
      pack({
        'tileset.json': set({ content: { uri: `${encodeURIComponent(place)}/many.i3dm` } }),
        [`${place}/many.i3dm`]: instance('a%20pump.glb'),
        [`${place}/a pump.glb`]: await house({ tag: 'P-1' }),
      });
      expect((await convertModel(input, output)).report).toMatchObject({ triangles: 1 });
    },
  );

  it('[TOUR-13] merge an object that is in both coarse and fine tiles', async () => {
    const shape = await house({ GlobalId: 'G1' });
    pack({
      'tileset.json': set({
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
    expect(root()).toMatchObject({
      refine: 'REPLACE',
      geometricError: 10,
      children: [{ refine: 'REPLACE', geometricError: 0.001 }],
    });
  });

  it('[TOUR-13] expand implicit tiling', async () => {
    pack({
      'tileset.json': set(byRule),
      'subtrees/0.0.0.subtree': subtree(
        {
          tileAvailability: { bitstream: 0 },
          contentAvailability: [{ bitstream: 1 }],
          childSubtreeAvailability: { bitstream: 2 },
        },
        0b10011,
        0b10010,
        0,
      ),
      'content/1/0/0.glb': await house({ tag: 'H-1' }),
      'content/1/1/1.glb': await house({ tag: 'H-2' }),
    });
    const { tiles: count, report } = await convertModel(input, output);
    expect([count, report.objects]).toEqual([2, 2]);
    expect(root()).toMatchObject({
      geometricError: 10,
      children: [{ geometricError: 5, content: { uri: 'tiles/0.glb.gz' } }, { geometricError: 5 }],
    });
    // The last child's own last child is in its own subtree.
    pack({
      'tileset.json': set(byRule),
      'subtrees/0.0.0.subtree': subtree(
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
      'content/2/3/3.glb': await house({ tag: 'H-3' }),
    });
    expect((await convertModel(input, output)).report).toMatchObject({ objects: 1, tagged: 1 });
  });

  it.each([
    ['no tileset', { 'a.glb': 'x' }, /no “tileset\.json”/],
    ['a missing tile', { 'tileset.json': set({ content: { uri: 'gone.glb' } }) }, /“gone\.glb”.* missing/],
    [
      'a damaged tile',
      {
        'tileset.json': set({ content: { uri: 'a.glb' } }),
        'a.glb': Buffer.concat([Buffer.from('glTF'), Buffer.alloc(40, 1)]),
      },
      /“a\.glb”: The GLB is not version 2/,
    ],
    ['a damaged list', { 'tileset.json': '{"asset":' }, /not valid JSON/],
    ['another version', { 'tileset.json': '{"asset":{"version":"3.0"},"root":{}}' }, /1\.0 or 1\.1/],
    ['tiles by half a rule', { 'tileset.json': set({ implicitTiling: {} }) }, /implicit tiling.*incomplete/],
    ['tiles by a rule without its subtrees', { 'tileset.json': set(byRule) }, /“subtrees\/0\.0\.0\.subtree”.* missing/],
    ['a set that contains itself', { 'tileset.json': set({ content: { uri: 'tileset.json' } }) }, /contains itself/],
    ['points alone', { 'tileset.json': set({ content: { uri: 'a.pnts' } }), 'a.pnts': 'pnts' }, /points.*point cloud/],
    [
      'a tile that lies elsewhere',
      { 'tileset.json': set({ content: { uri: 'https://tiles.example/a.glb' } }) },
      /“https:\/\/tiles\.example\/a\.glb”, which is not in the ZIP file/,
    ],
    [
      'instances of a shape that lies elsewhere',
      {
        'tileset.json': set({ content: { uri: 'many.i3dm' } }),
        'many.i3dm': instance('https://tiles.example/pump.glb'),
        'pump.glb': 'another one',
      },
      /“https:\/\/tiles\.example\/pump\.glb”, which is not in the ZIP file/,
    ],
    [
      'tiles of more levels than can be',
      { 'tileset.json': set({ ...byRule, implicitTiling: { ...byRule.implicitTiling, availableLevels: 50_000 } }) },
      /has 50000 levels/,
    ],
    [
      'a rule whose subtrees lie elsewhere',
      {
        'tileset.json': set({
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
      { 'tileset.json': set({ content: { uri: 'b.json' } }), 'b.json': set({ content: { uri: './tileset.json' } }) },
      /contains itself/,
    ],
    [
      'a tile whose picture lies beside it',
      {
        'tileset.json': set({ content: { uri: 'a.glb' } }),
        'a.glb': emptyGlb({ asset: { version: '2.0' }, images: [{ uri: 'brick.png' }] }),
      },
      /“a\.glb”.*“brick\.png”/,
    ],
    ['a way out of the folder', { '../../tileset.json': set({}) }, /ZIP file/],
  ])('[TOUR-13] are refused in words: %s', async (_, entries, words) => {
    pack(entries);
    await expect(convertModel(input, output)).rejects.toThrow(words);
  });

  it('[TOUR-13] refuse a truncated ZIP file', async () => {
    fs.writeFileSync(
      input,
      buildZip({ 'tileset.json': set({ content: { uri: 'a.glb' } }), 'a.glb': await house() }).subarray(0, 300),
    );
    await expect(convertModel(input, output)).rejects.toThrow(/ZIP file cannot be opened/);
  });

  itWithSampleData(
    '[TOUR-13] of the real ones: a city on the globe (1.0, b3dm) lies level at zero, features are objects, points ' +
      'are counted',
    ['model3d/3dtiles/1.0/TilesetWithRequestVolume'],
    async ([from]) => {
      const files = fs
        .readdirSync(from, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
      pack(Object.fromEntries(files.map((file) => [path.relative(from, file), fs.readFileSync(file)])));
      const { bounds, report } = await convertModel(input, output);
      expect(report).toMatchObject({ objects: 41, notes: [{ code: 'pointsDropped', count: 1 }] });
      // Houses at ground level, the tower of 67 m in the middle.
      expect(Math.abs(bounds.min[2])).toBeLessThan(0.1);
      expect(bounds.max[2]).toBeGreaterThan(60);
      expect(Math.max(...bounds.max, ...bounds.min.map(Math.abs))).toBeLessThan(250);
      const house9 = listed().find(([, key]) => key === 'city/ll#9')!;
      expect(house9[5]).toEqual(expect.arrayContaining(['Height']));
      const height = Number(house9[5][house9[5].indexOf('Height') + 1]);
      expect(toBox(house9)!.max[2] - toBox(house9)!.min[2]).toBeCloseTo(height, 1);
    },
  );

  itWithSampleData(
    '[TOUR-13] of the real ones: houses and trees (1.1, several GLB a tile), with the properties of tile and content',
    ['model3d/3dtiles/1.1/MetadataGranularities'],
    async ([from]) => {
      pack(Object.fromEntries(fs.readdirSync(from).map((file) => [file, fs.readFileSync(path.join(from, file))])));
      const { tiles: count, report } = await convertModel(input, output);
      expect([count, report.objects, report.notes]).toEqual([4, 20, []]);
      expect(listed().find(([, key]) => key === 'house-3-0')![5]).toEqual([
        'district',
        'Callowhill',
        'population',
        '12',
        'vertices',
        '1032',
        'materials',
        '5',
      ]);
      for (const tile of all(root())) {
        if (!tile.content) continue;
        const document = await io.readBinary(readGlb(tile.content.uri));
        expect(getBounds(document.getRoot().listScenes()[0]!).min[1]).toBeCloseTo(0, 2);
      }
    },
  );
});
