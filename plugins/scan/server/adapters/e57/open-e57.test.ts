import { expect, it } from 'vitest';
import { openBytes } from '../byte-source.ts';
import { crc32c } from './crc32c.ts';
import { openE57, type E57ScanBatch } from './open-e57.ts';

const fields = `<sphericalRange type="Float" precision="single"/><sphericalAzimuth type="Float"/><sphericalElevation type="Float"/>
<rowIndex type="Integer" minimum="0" maximum="1000"/><columnIndex type="Integer" minimum="-5" maximum="1"/>
<sphericalInvalidState type="Integer" minimum="0" maximum="2"/>
<intensity type="ScaledInteger" minimum="0" maximum="4294967296" scale="0.5" offset="1"/>`;
const points = [
  { range: 2, azimuth: 0, elevation: 0, row: 7, column: -5, invalid: 0, intensity: 4_294_967_296 },
  { range: 3, azimuth: Math.PI / 2, elevation: 0, row: 1000, column: 1, invalid: 2, intensity: 0 },
  { range: 1, azimuth: 0, elevation: Math.PI / 2, row: 0, column: 0, invalid: 0, intensity: 3 },
];

/** Packs values of different bit widths, least significant bit first. */
function packBits(values: readonly number[], bits: number): Buffer {
  let all = 0n;
  for (const [k, value] of values.entries()) all |= BigInt(value) << BigInt(k * bits);
  return Buffer.from(
    Array.from({ length: Math.ceil((values.length * bits) / 8) }, (_, k) => Number((all >> BigInt(8 * k)) & 255n)),
  );
}

/** Builds an E57 file with one scan. The scanner is at 10, 20, 30, rotated counter-clockwise by 90 degrees. */
function buildFile(): Buffer {
  const doubles = (values: readonly number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);
  const streams = [
    Buffer.from(Float32Array.from(points.map(({ range }) => range)).buffer),
    doubles(points.map(({ azimuth }) => azimuth)),
    doubles(points.map(({ elevation }) => elevation)),
    packBits(
      points.map(({ row }) => row),
      10,
    ),
    packBits(
      points.map(({ column }) => column + 5),
      3,
    ),
    packBits(
      points.map(({ invalid }) => invalid),
      2,
    ),
    packBits(
      points.map(({ intensity }) => intensity),
      33,
    ),
  ];
  const length = Math.ceil((6 + 2 * streams.length + streams.reduce((sum, stream) => sum + stream.length, 0)) / 4) * 4;
  const section = Buffer.alloc(32 + length);
  section[0] = 1;
  section.writeBigUInt64LE(BigInt(section.length), 8);
  section.writeBigUInt64LE(80n, 16);
  section.set([1, 0], 32);
  section.writeUInt16LE(length - 1, 34);
  section.writeUInt16LE(streams.length, 36);
  let at = 38;
  for (const stream of streams) at = section.writeUInt16LE(stream.length, at);
  for (const stream of streams) at += stream.copy(section, at);
  // Half of a right angle, multiplied by 3 so that the quaternion is not normalized.
  const component = Math.SQRT1_2 * 3;
  const xml =
    Buffer.from(`<?xml version="1.0"?><e57Root type="Structure"><data3D type="Vector"><vectorChild type="Structure">
<name type="String"><![CDATA[S1]]></name>
<pose type="Structure"><rotation type="Structure"><w type="Float">${component}</w><x type="Float"/><y type="Float"/>
<z type="Float">${component}</z></rotation>
<translation type="Structure"><x type="Float">10</x><y type="Float">20</y><z type="Float">30</z></translation></pose>
<points type="CompressedVector" fileOffset="48" recordCount="${points.length}">
<prototype type="Structure">${fields}</prototype></points></vectorChild></data3D></e57Root>`);
  const logical = Buffer.concat([Buffer.alloc(48), section, xml]);
  const physical = (offset: number): bigint => BigInt(Math.floor(offset / 1020) * 1024 + (offset % 1020));
  logical.write('ASTM-E57', 0, 'latin1');
  logical.writeUInt32LE(1, 8);
  const pages = Math.ceil(logical.length / 1020);
  for (const [offset, value] of [
    [16, BigInt(pages * 1024)],
    [24, physical(48 + section.length)],
    [32, BigInt(xml.length)],
    [40, 1024n],
  ] as const)
    logical.writeBigUInt64LE(value, offset);
  const out = Buffer.alloc(pages * 1024);
  for (let page = 0; page < pages; page++) {
    logical.copy(out, page * 1024, page * 1020, (page + 1) * 1020);
    out.writeUInt32BE(crc32c(out, page * 1024, page * 1024 + 1020), page * 1024 + 1020);
  }
  return out;
}

it('reads the grid, the invalid points and values of any bit width of a structured scan', async () => {
  const e57File = await openE57(openBytes(buildFile()));
  const [scan] = e57File.scans;
  expect(scan).toMatchObject({ name: 'S1', count: 3, pose: { translation: [10, 20, 30] } });
  const batches: E57ScanBatch[] = [];
  for await (const batch of e57File.readScan(scan!)) batches.push(batch);
  expect(batches).toHaveLength(1);
  const [batch] = batches;
  expect([...batch!.rows!]).toEqual([7, 1000, 0]);
  expect([...batch!.columns!]).toEqual([-5, 1, 0]);
  expect([...batch!.valid]).toEqual([1, 0, 1]);
  expect([...batch!.intensities!]).toEqual([2_147_483_649, 1, 2.5].map(Math.fround));
  expect([...batch!.positions.subarray(0, 3)]).toEqual([2, 0, 0]);
});

it('transforms valid points by a pose whose quaternion is not normalized', async () => {
  const positions: number[] = [];
  for await (const batch of (await openE57(openBytes(buildFile()))).readPoints()) positions.push(...batch.positions);
  for (const [k, value] of [10, 22, 30, 10, 20, 31].entries()) expect(positions[k]).toBeCloseTo(value, 9);
  expect(positions).toHaveLength(6);
});

it('matches the CRC-32C example of RFC 3720', () => {
  expect(crc32c(Buffer.alloc(32), 0, 32)).toBe(0x8a9136aa);
  expect(crc32c(Buffer.from('123456789'), 0, 9)).toBe(0xe3069283);
});
