import { crc32c } from '../../server/adapters/e57/crc32c.ts';

/** A scan of a test file, without invalid points. */
export interface E57ScanInput {
  readonly name: string;
  readonly guid: string;
  readonly pose: {
    readonly rotation: readonly [w: number, x: number, y: number, z: number];
    readonly translation: readonly [number, number, number];
  };
  /** x, y, z of each point in metres in the scanner's frame, before `pose`. */
  readonly positions: Float32Array;
  /** Undefined if the scan is not structured. */
  readonly grid?: { readonly rows: Uint16Array; readonly columns: Uint16Array };
  readonly colors?: Uint8Array;
  readonly intensities?: Float32Array;
}

export interface E57ImageInput {
  /** The `guid` of the scan from which it was taken. */
  readonly scanGuid: string;
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
  readonly rotation: readonly [w: number, x: number, y: number, z: number];
}

const pointsPerPacket = 1500;
const toPhysicalOffset = (logical: number): number => Math.floor(logical / 1020) * 1024 + (logical % 1020);
const formatPose = ([w, x, y, z]: readonly number[], [tx, ty, tz]: readonly number[]): string =>
  `<pose type="Structure"><rotation type="Structure"><w type="Float">${w}</w><x type="Float">${x}</x><y ` +
  `type="Float">${y}</y><z type="Float">${z}</z></rotation><translation type="Structure"><x type="Float">${tx}</x><y ` +
  `type="Float">${ty}</y><z type="Float">${tz}</z></translation></pose>`;

/** Appends content, made from its logical offset (without page checksums), and returns that offset. */
type Append = (createContent: (logicalOffset: number) => Buffer) => number;

/** Writes an E57 file (ASTM E2807-11) of scans and spherical images. */
export function writeE57(
  scans: readonly E57ScanInput[],
  images: readonly E57ImageInput[] = [],
  { coordinateMetadata }: { readonly coordinateMetadata?: string } = {},
): Buffer {
  const parts: Buffer[] = [Buffer.alloc(48)];
  let length = 48;
  const append: Append = (createContent) => {
    const offset = length;
    const part = createContent(offset);
    const paddedPart = Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)]);
    parts.push(paddedPart);
    length += paddedPart.length;
    return offset;
  };
  const scanXml = scans.map((scan) => writeScan(scan, append));
  const imageXml = images.map(({ scanGuid, jpeg, width, height, rotation }) => {
    const head = Buffer.alloc(16);
    head.writeBigUInt64LE(BigInt(16 + jpeg.length), 8);
    const at = append(() => Buffer.concat([head, jpeg]));
    return (
      '<vectorChild type="Structure"><associatedData3DGuid ' +
      `type="String">${scanGuid}</associatedData3DGuid>${formatPose(rotation, [0, 0, 0])}<sphericalRepresentation ` +
      `type="Structure"><jpegImage type="Blob" fileOffset="${toPhysicalOffset(at)}" length="${jpeg.length}"/><imageWidth ` +
      `type="Integer">${width}</imageWidth><imageHeight type="Integer">${height}</imageHeight><pixelWidth ` +
      `type="Float">${(2 * Math.PI) / width}</pixelWidth><pixelHeight ` +
      `type="Float">${Math.PI / height}</pixelHeight></sphericalRepresentation></vectorChild>`
    );
  });
  const metadata =
    coordinateMetadata === undefined
      ? ''
      : `<coordinateMetadata type="String"><![CDATA[${coordinateMetadata}]]></coordinateMetadata>`;
  const xml = Buffer.from(
    `<?xml version="1.0"?><e57Root type="Structure">${metadata}<data3D type="Vector">${scanXml.join('')}</data3D><images2D ` +
      `type="Vector">${imageXml.join('')}</images2D></e57Root>`,
  );
  const xmlOffset = append(() => xml);
  const logical = Buffer.concat(parts);
  const pages = Math.ceil(logical.length / 1020);
  logical.write('ASTM-E57', 0, 'latin1');
  logical.writeUInt32LE(1, 8);
  for (const [offset, value] of [
    [16, pages * 1024],
    [24, toPhysicalOffset(xmlOffset)],
    [32, xml.length],
    [40, 1024],
  ] as const)
    logical.writeBigUInt64LE(BigInt(value), offset);
  const out = Buffer.alloc(pages * 1024);
  for (let page = 0; page < pages; page++) {
    logical.copy(out, page * 1024, page * 1020, (page + 1) * 1020);
    out.writeUInt32BE(crc32c(out, page * 1024, page * 1024 + 1020), page * 1024 + 1020);
  }
  return out;
}

interface Field {
  readonly xml: string;
  encode(from: number, to: number): Buffer;
}

function writeScan({ name, guid, pose, positions, grid, colors, intensities }: E57ScanInput, append: Append): string {
  const count = positions.length / 3;
  const encodeFloats =
    (values: Float32Array, stride: number, first: number) =>
    (from: number, to: number): Buffer =>
      Buffer.from(Float32Array.from({ length: to - from }, (_, k) => values[(from + k) * stride + first]!).buffer);
  const fields: Field[] = ['X', 'Y', 'Z'].map((axis, index) => ({
    xml: `<cartesian${axis} type="Float" precision="single"/>`,
    encode: encodeFloats(positions, 3, index),
  }));
  const encodeShorts =
    (values: Uint16Array) =>
    (from: number, to: number): Buffer =>
      Buffer.from(values.slice(from, to).buffer);
  if (grid)
    fields.push(
      { xml: '<rowIndex type="Integer" minimum="0" maximum="65535"/>', encode: encodeShorts(grid.rows) },
      { xml: '<columnIndex type="Integer" minimum="0" maximum="65535"/>', encode: encodeShorts(grid.columns) },
    );
  if (colors)
    fields.push(
      ...['Red', 'Green', 'Blue'].map((channel, index) => ({
        xml: `<color${channel} type="Integer" minimum="0" maximum="255"/>`,
        encode: (from: number, to: number) =>
          Buffer.from(Uint8Array.from({ length: to - from }, (_, k) => colors[(from + k) * 3 + index]!)),
      })),
    );
  if (intensities)
    fields.push({ xml: '<intensity type="Float" precision="single"/>', encode: encodeFloats(intensities, 1, 0) });

  const packets: Buffer[] = [];
  for (let from = 0; from < count; from += pointsPerPacket) {
    const streams = fields.map(({ encode }) => encode(from, Math.min(count, from + pointsPerPacket)));
    const packet = Buffer.alloc(Math.ceil((6 + streams.reduce((sum, stream) => sum + 2 + stream.length, 0)) / 4) * 4);
    packet[0] = 1;
    packet.writeUInt16LE(packet.length - 1, 2);
    packet.writeUInt16LE(streams.length, 4);
    let at = 6;
    for (const stream of streams) at = packet.writeUInt16LE(stream.length, at);
    for (const stream of streams) at += stream.copy(packet, at);
    packets.push(packet);
  }
  const section = Buffer.concat([Buffer.alloc(32), ...packets]);
  section[0] = 1;
  section.writeBigUInt64LE(BigInt(section.length), 8);
  const at = append((start) => {
    section.writeBigUInt64LE(BigInt(toPhysicalOffset(start + 32)), 16);
    return section;
  });
  return (
    `<vectorChild type="Structure"><guid type="String">${guid}</guid><name ` +
    `type="String">${name}</name>${formatPose(pose.rotation, pose.translation)}<points type="CompressedVector" ` +
    `fileOffset="${toPhysicalOffset(at)}" recordCount="${count}"><prototype ` +
    `type="Structure">${fields.map(({ xml }) => xml).join('')}</prototype></points></vectorChild>`
  );
}
