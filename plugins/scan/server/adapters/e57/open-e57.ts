import type { ByteSource } from '../byte-source.ts';
import { readWktSystem } from '../coordinates/wkt-system.ts';
import type { PointBatch, PointSource } from '../point-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { readRecords, type E57Records } from './compressed-vector.ts';
import {
  describeE57,
  type E57Field,
  type E57Image,
  type E57Pose,
  type E57ScanDescription,
  type Limits,
} from './e57-description.ts';
import { parseElement } from './element.ts';
import { PagedFile } from './paged-file.ts';

const maxDescriptionLength = 64 << 20;
const blobHeaderLength = 16;
const chunkBytes = 1 << 20;

/** Points of one scan in the scanner's frame, in metres. */
export interface E57ScanBatch {
  readonly count: number;
  /** x y z of each point, meaningless if its `valid` is 0. */
  readonly positions: Float64Array;
  /** 1 for each point with a position, else 0. */
  readonly valid: Uint8Array;
  /** Row and column in the scanner's grid; undefined if the scan is not structured. */
  readonly rows: Float64Array | undefined;
  readonly columns: Float64Array | undefined;
  /** 0 to 65535. */
  readonly colors: Uint16Array | undefined;
  readonly intensities: Float32Array | undefined;
}

/** An opened E57 file: its scans, its images, and all points in the site frame. */
export interface E57File extends PointSource {
  readonly format: 'E57';
  readonly scans: readonly E57ScanDescription[];
  readonly images: readonly E57Image[];
  /** Yields the points of one scan in its own frame in the order of the file, including points without a position. */
  readScan(scan: E57ScanDescription): AsyncGenerator<E57ScanBatch>;
  /** Yields the bytes of an image or its mask in chunks of at most one megabyte. */
  readImageBytes(blob: { readonly offset: number; readonly bytes: number }): AsyncGenerator<Buffer>;
}

/** Opens an E57 file (ASTM E2807-11). Throws `ScanUnreadable`, here or while points are read. */
export async function openE57(source: ByteSource): Promise<E57File> {
  const file = await PagedFile.open(source);
  const { xmlOffset, xmlLength } = file.header;
  if (xmlLength > maxDescriptionLength)
    throw new ScanUnreadable('scan.refused.e57LongDescription', { size: xmlLength, most: maxDescriptionLength });
  const { scans, images, coordinateMetadata } = describeE57(
    parseElement((await file.read(file.toLogicalOffset(xmlOffset), xmlLength)).toString('utf8')),
  );
  const readScan = (scan: E57ScanDescription): AsyncGenerator<E57ScanBatch> => readBatches(file, scan);
  const count = scans.reduce((sum, scan) => sum + scan.count, 0);
  return {
    format: 'E57',
    scans,
    images,
    count,
    declared: count,
    system: coordinateMetadata === undefined ? undefined : readWktSystem(coordinateMetadata),
    bounds: undefined,
    readScan,
    readPoints: async function* () {
      for (const scan of scans) for await (const batch of readScan(scan)) yield toFileFrame(batch, scan.pose);
    },
    readImageBytes: (blob) => readBlob(file, blob),
  };
}

async function* readBlob(
  file: PagedFile,
  { offset, bytes }: { readonly offset: number; readonly bytes: number },
): AsyncGenerator<Buffer> {
  const start = file.toLogicalOffset(offset);
  const header = await file.read(start, blobHeaderLength);
  if (header[0] !== 0 || start + blobHeaderLength + bytes > file.logicalSize)
    throw new ScanUnreadable('scan.refused.e57Picture');
  for (let doneBytes = 0; doneBytes < bytes;) {
    const chunk = await file.read(start + blobHeaderLength + doneBytes, Math.min(chunkBytes, bytes - doneBytes));
    doneBytes += chunk.length;
    yield chunk;
  }
}

const cartesianFields = ['cartesianX', 'cartesianY', 'cartesianZ'] as const;
const sphericalFields = ['sphericalRange', 'sphericalAzimuth', 'sphericalElevation'] as const;
const colorFields = ['colorRed', 'colorGreen', 'colorBlue'] as const;
const otherFields = [
  'cartesianInvalidState',
  'sphericalInvalidState',
  'rowIndex',
  'columnIndex',
  'intensity',
  'isIntensityInvalid',
  'isColorInvalid',
] as const;

async function* readBatches(file: PagedFile, scan: E57ScanDescription): AsyncGenerator<E57ScanBatch> {
  const fields = new Map(scan.fields.map((field) => [field.name, field]));
  const hasFields = (names: readonly string[]): boolean => names.every((name) => fields.has(name));
  const positionFields = hasFields(cartesianFields)
    ? cartesianFields
    : hasFields(sphericalFields)
      ? sphericalFields
      : undefined;
  if (positionFields === undefined)
    throw new ScanUnreadable('scan.refused.e57NoPositions', { scan: scan.name ?? scan.guid ?? '?' });
  const limits = hasFields(colorFields)
    ? (scan.color ?? readLimits(fields.get('colorRed')) ?? { minimum: 0, maximum: 255 })
    : undefined;
  const fieldNames = new Set<string>([
    ...positionFields,
    ...(limits ? colorFields : []),
    ...otherFields.filter((name) => fields.has(name)),
  ]);
  for await (const records of readRecords(file, scan, fieldNames))
    yield createBatch(records, positionFields === sphericalFields, limits);
}

function readLimits(field: E57Field | undefined): Limits | undefined {
  if (field === undefined || field.kind === 'text') return undefined;
  const { minimum, maximum } = field;
  return minimum !== undefined && maximum !== undefined && maximum > minimum ? { minimum, maximum } : undefined;
}

function createBatch(
  { pointCount: count, values }: E57Records,
  isSpherical: boolean,
  limits: Limits | undefined,
): E57ScanBatch {
  const positions = new Float64Array(count * 3);
  const valid = new Uint8Array(count);
  const [a, b, c] = (isSpherical ? sphericalFields : cartesianFields).map((name) => values.get(name)!) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const state = values.get(isSpherical ? 'sphericalInvalidState' : 'cartesianInvalidState');
  for (let k = 0; k < count; k++) {
    const planar = a[k]! * Math.cos(c[k]!);
    const x = isSpherical ? planar * Math.cos(b[k]!) : a[k]!;
    const y = isSpherical ? planar * Math.sin(b[k]!) : b[k]!;
    const z = isSpherical ? a[k]! * Math.sin(c[k]!) : c[k]!;
    positions[3 * k] = x;
    positions[3 * k + 1] = y;
    positions[3 * k + 2] = z;
    valid[k] =
      (state === undefined || state[k] === 0) && Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) ? 1 : 0;
  }
  return {
    count,
    positions,
    valid,
    rows: values.get('rowIndex'),
    columns: values.get('columnIndex'),
    colors: limits && readColors(values, count, limits),
    intensities: readIntensities(values, count),
  };
}

function readColors(values: E57Records['values'], count: number, { minimum, maximum }: Limits): Uint16Array {
  const out = new Uint16Array(count * 3);
  const invalid = values.get('isColorInvalid');
  const scale = 65_535 / (maximum - minimum);
  for (const [channel, name] of colorFields.entries()) {
    const channelValues = values.get(name)!;
    for (let k = 0; k < count; k++)
      out[3 * k + channel] = invalid?.[k]
        ? 32_768
        : Math.min(65_535, Math.max(0, Math.round((channelValues[k]! - minimum) * scale)));
  }
  return out;
}

function readIntensities(values: E57Records['values'], count: number): Float32Array | undefined {
  const intensities = values.get('intensity');
  if (intensities === undefined) return undefined;
  const invalid = values.get('isIntensityInvalid');
  return Float32Array.from({ length: count }, (_, k) =>
    invalid?.[k] || !Number.isFinite(intensities[k]!) ? 0 : intensities[k]!,
  );
}

/** Multiplies all lengths of the scans, for a file that is not in metres. */
export function scaleE57(file: E57File, factor: number): E57File {
  const scans = file.scans.map((scan) => {
    const [x, y, z] = scan.pose?.translation ?? [0, 0, 0];
    return scan.pose
      ? { ...scan, pose: { ...scan.pose, translation: [x * factor, y * factor, z * factor] as const } }
      : scan;
  });
  const readScan = async function* (scan: E57ScanDescription): AsyncGenerator<E57ScanBatch> {
    for await (const batch of file.readScan(scan))
      yield { ...batch, positions: batch.positions.map((value) => value * factor) };
  };
  return {
    ...file,
    scans,
    readScan,
    readPoints: async function* () {
      for await (const batch of file.readPoints())
        yield { ...batch, positions: batch.positions.map((value) => value * factor) };
    },
  };
}

/** Transforms the points that have a position to the file's frame. */
function toFileFrame(batch: E57ScanBatch, pose: E57Pose | undefined): PointBatch {
  const count = batch.valid.reduce((sum, valid) => sum + valid, 0);
  const positions = new Float64Array(count * 3);
  const validColors = batch.colors && new Uint16Array(count * 3);
  const intensities = batch.intensities && new Float32Array(count);
  const matrix = toMatrix(pose);
  for (let k = 0, at = 0; k < batch.count; k++) {
    if (batch.valid[k] === 0) continue;
    const x = batch.positions[3 * k]!;
    const y = batch.positions[3 * k + 1]!;
    const z = batch.positions[3 * k + 2]!;
    for (let row = 0; row < 3; row++)
      positions[3 * at + row] =
        matrix[4 * row]! * x + matrix[4 * row + 1]! * y + matrix[4 * row + 2]! * z + matrix[4 * row + 3]!;
    if (validColors)
      for (let channel = 0; channel < 3; channel++) validColors[3 * at + channel] = batch.colors![3 * k + channel]!;
    if (intensities) intensities[at] = batch.intensities![k]!;
    at++;
  }
  return { count, positions, colors: validColors, intensities };
}

/** A 3 x 4 matrix by rows. */
function toMatrix(pose: E57Pose | undefined): readonly number[] {
  if (!pose) return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const [w, x, y, z] = pose.rotation;
  const [tx, ty, tz] = pose.translation;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    tx,
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    ty,
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
    tz,
  ];
}
