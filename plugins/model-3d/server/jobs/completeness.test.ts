import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LengthUnit } from '#core';
import { itWithSampleData } from '#core/testing/sample-data';
import { writeIfc } from '../../testing/server/write-ifc.ts';
import { convertModel, type ConvertedModel } from './convert-model.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-completeness-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let fileCount = 0;
async function convert(content: Uint8Array | string, unit?: LengthUnit): Promise<ConvertedModel> {
  const input = path.join(folder, `source-${(fileCount += 1)}`);
  await writeFile(input, content);
  return convertModel(input, `${input}.glb`, unit === undefined ? {} : { unit });
}

const readMessage = (content: Uint8Array | string, unit?: LengthUnit): Promise<string> =>
  convert(content, unit).then(
    ({ report }) => `read: ${JSON.stringify(report)}`,
    (error: Error) => error.message,
  );
const computeSize = ({ bounds: { min, max } }: ConvertedModel): readonly number[] =>
  max.map((value, axis) => Math.round((value - min[axis]!) * 1e4) / 1e4);

describe('IFC import', () => {
  it('[IMP-02] reports the number of elements read', async () => {
    const { report } = await convert(writeIfc({ boxes: 3 }));
    expect(report.elements).toEqual({ declared: 3, read: 3 });
    expect(report.notes).toEqual([]);
  });

  it('[IMP-02] refuses a file that is truncated at any position', async () => {
    const wholeFile = writeIfc({ boxes: 3 });
    for (const fraction of [0.5, 0.99])
      expect(await readMessage(wholeFile.slice(0, Math.floor(wholeFile.length * fraction)))).toMatch(
        /is incomplete: its end is missing\. \d+ entries were read; they refer to \d+/,
      );
  });

  it('[IMP-02] warns of missing entries and of unreadable elements', async () => {
    const { report } = await convert(writeIfc({ boxes: 3, without: 'IFCEXTRUDEDAREASOLID' }));
    expect(report.elements).toEqual({ declared: 3, read: 2 });
    expect(report.notes).toEqual([
      { code: 'elementsUnread', count: 1 },
      { code: 'referencesMissing', count: 1 },
    ]);
  });

  const foot = "IFCCONVERSIONBASEDUNIT(#901,.LENGTHUNIT.,'FOOT',#902)";
  it.each([
    ['IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.)', 'm', 1],
    ['IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)', 'mm', 0.001],
    [foot, 'ft', 0.3048],
    ["IFCCONVERSIONBASEDUNIT(#901,.LENGTHUNIT.,'US SURVEY FOOT',#904)", 'ftUS', 1200 / 3937],
    ['IFCSIUNIT(*,.LENGTHUNIT.,.DECI.,.METRE.)', 'other', 0.1],
  ] as const)('[TOUR-25] uses the unit that the file states: %s', async (unit, name, metres) => {
    const convertedModel = await convert(writeIfc({ boxes: 1, unit, length: 1000 }));
    expect(convertedModel.report.system?.horizontal).toEqual({ unit: name, metres, basis: 'FILE' });
    expect(computeSize(convertedModel)[0]! / (1000 * metres)).toBeCloseTo(1, 4);
  });

  it('[TOUR-25] assumes metres if the file states no unit, unless a person chose one', async () => {
    const withoutUnit = await convert(writeIfc({ boxes: 1, length: 1000 }));
    expect(withoutUnit.report.system?.horizontal).toEqual({ unit: 'm', metres: 1, basis: 'ASSUMED' });
    const withChosenUnit = await convert(writeIfc({ boxes: 1, unit: foot, length: 1000 }), 'mm');
    expect(withChosenUnit.report.system).toMatchObject({
      horizontal: { unit: 'mm', basis: 'PERSON' },
      stated: { unit: 'ft' },
    });
    expect(computeSize(withChosenUnit)[0]).toBeCloseTo(1, 4);
  });

  it('[TOUR-25] reports the coordinate system and its origin', async () => {
    const { report } = await convert(writeIfc({ boxes: 1, schema: 'IFC4', georeferenced: true }));
    expect(report.system).toMatchObject({
      name: 'EPSG:25832',
      epsg: 25_832,
      verticalName: 'DHHN2016',
      origin: '458870.5 / 5438232.25 / 113.7',
    });
  });

  itWithSampleData('[IMP-02] refuses the first half of duplex.ifc', ['model3d/ifc/duplex.ifc'], async ([file]) => {
    const bytes = await readFile(file);
    const half = Math.floor(bytes.length / 2);
    for (const end of [half, bytes.indexOf('\n', half) + 1])
      expect(await readMessage(bytes.subarray(0, end))).toMatch(/is incomplete/);
  });

  const samples = {
    'IfcOpenHouse_IFC4.ifc': 'mm',
    'Sample_entities.ifc': 'mm',
    'duplex.ifc': 'm',
    'example.ifc': 'mm',
    'tested_sample_project.ifc': 'm',
  };
  for (const [name, unit] of Object.entries(samples))
    itWithSampleData(
      `[TOUR-25] reads the unit and all elements of ${name}`,
      [`model3d/ifc/${name}`],
      async ([file]) => {
        const { report } = await convertModel(file, path.join(folder, `${name}.glb`));
        expect(report.system?.horizontal).toMatchObject({ unit, basis: 'FILE' });
        expect(report.elements?.read).toBe(report.elements?.declared);
        expect(report.elements?.read).toBeGreaterThan(0);
        expect(report.notes.map(({ code }) => code)).not.toContain('referencesMissing');
      },
    );
});

async function writeTriangle(): Promise<Buffer> {
  const document = new Document();
  const position = document
    .createAccessor()
    .setType('VEC3')
    .setArray(new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0]))
    .setBuffer(document.createBuffer());
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position));
  document.createScene().addChild(document.createNode('Sign').setMesh(mesh).setTranslation([10, 0, 0]));
  return Buffer.from(await new NodeIO().writeBinary(document));
}

/** Copies a GLB with a changed JSON chunk. */
function replaceDescription(
  glb: Buffer,
  change: (json: { buffers: { byteLength: number }[]; accessors: { count: number }[] }) => void,
): Buffer {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length)) as Parameters<typeof change>[0];
  change(json);
  const text = Buffer.from(JSON.stringify(json).padEnd(length + 16));
  const paddedText = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 32)]);
  const header = Buffer.alloc(20);
  glb.copy(header, 0, 0, 20);
  const output = Buffer.concat([header, paddedText, glb.subarray(20 + length)]);
  output.writeUInt32LE(output.length, 8);
  output.writeUInt32LE(paddedText.length, 12);
  return output;
}

describe('glTF import', () => {
  it('[IMP-02] reports the number of elements read, and metres as the unit of the format', async () => {
    const { report } = await convert(await writeTriangle());
    expect(report.elements).toEqual({ declared: 1, read: 1 });
    expect(report.system?.horizontal).toEqual({ unit: 'm', metres: 1, basis: 'FORMAT' });
  });

  it('[IMP-02] names the missing bytes of an incomplete file', async () => {
    const glb = await writeTriangle();
    const withLongBuffer = replaceDescription(glb, (json) => {
      json.buffers[0]!.byteLength = 5000;
    });
    expect(await readMessage(withLongBuffer)).toMatch(/is incomplete: a part should have 5000 bytes but has 36/);
    const withManyVertices = replaceDescription(glb, (json) => {
      json.accessors[0]!.count = 300;
    });
    expect(await readMessage(withManyVertices)).toMatch(/is incomplete: a part should have 3600 bytes/);
    for (let cut = 0; cut < glb.length; cut += 150)
      expect(await readMessage(glb.subarray(0, cut))).toMatch(/incomplete|version 2|readable model|description/);
    const text = {
      asset: { version: '2.0' },
      buffers: [{ byteLength: 36 }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
    };
    expect(await readMessage(JSON.stringify(text))).toMatch(/should have 36 bytes but has 0/);
    expect(await readMessage('{"asset": {"version": "2.0"}, "buffers": [')).toMatch(/glTF description cannot be read/);
  });

  it('[TOUR-25] applies a unit that a person chose', async () => {
    const convertedModel = await convert(await writeTriangle(), 'mm');
    expect(convertedModel.report.system).toMatchObject({
      horizontal: { unit: 'mm', basis: 'PERSON' },
      stated: { unit: 'm' },
    });
    expect(convertedModel.bounds.min[0]).toBeCloseTo(0.01, 6);
    expect(computeSize(convertedModel)[0]).toBeCloseTo(0.002, 6);
  });
});
