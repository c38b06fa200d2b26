import { MeshoptEncoder } from 'meshoptimizer/encoder';
import type { Point3 } from '#core';
import { computeBox } from './octree.ts';
import type { Records } from './records.ts';

export interface TileEncoding {
  /** Resolution of positions in metres; the error is at most half of it. */
  readonly step: number;
  /** Intensity range of the whole cloud, mapped to 0 to 65535. Undefined if the cloud has no intensity. */
  readonly intensity: { readonly minimum: number; readonly maximum: number } | undefined;
  readonly colored: boolean;
}

const maxSteps = 65_535;
/** Maximum step of 16-bit positions in metres. Tiles that would need a larger step use floating point. */
const maxStepMetres = 0.0005;

/**
 * Encodes points as binary glTF 2.0 with EXT_meshopt_compression: `POSITION`, and `COLOR_0` and `_INTENSITY` if the
 * cloud has them. Positions are 16-bit integers (KHR_mesh_quantization), or floats in tiles over 32 m. The node's
 * matrix converts to the site frame with y up.
 */
export async function encodeTile(points: Records, encoding: TileEncoding): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const box = computeBox(points);
  const extent = Math.max(...[0, 1, 2].map((axis) => box.maximum[axis]! - box.minimum[axis]!));
  const order = MeshoptEncoder.reorderPoints(subtractOrigin(points, box.minimum), 3);
  const step = extent > encoding.step * maxSteps ? Math.min(maxStepMetres, extent / maxSteps) : encoding.step;
  return extent <= step * maxSteps * 1.000_001
    ? encodeQuantised(points, order, box, step, encoding)
    : encodeFloating(points, order, box, extent, encoding);
}

interface Box {
  readonly minimum: Point3;
  readonly maximum: Point3;
}

/** One block with 8 bytes of position and intensity, plus 4 bytes of colour if present. */
function encodeQuantised(
  points: Records,
  order: Uint32Array,
  { minimum, maximum }: Box,
  step: number,
  encoding: TileEncoding,
): Uint8Array {
  const stride = encoding.colored ? 12 : 8;
  const block = new Uint8Array(points.count * stride);
  const view = new DataView(block.buffer);
  for (const [from, to] of order.entries()) {
    for (let axis = 0; axis < 3; axis++)
      view.setUint16(
        to * stride + axis * 2,
        Math.min(maxSteps, Math.round((points.getPosition(from, axis) - minimum[axis]!) / step)),
        true,
      );
    view.setUint16(to * stride + 6, encodeIntensity(points, from, encoding), true);
    if (encoding.colored) setColor(view, to * stride + 8, points, from);
  }
  const toSteps = (axis: number): number => Math.min(maxSteps, Math.round((maximum[axis]! - minimum[axis]!) / step));
  return buildGlb(
    points.count,
    minimum,
    step,
    [{ bytes: block, stride }],
    [
      {
        name: 'POSITION',
        view: 0,
        offset: 0,
        componentType: 5123,
        type: 'VEC3',
        minimum: [0, 0, 0],
        maximum: [toSteps(0), toSteps(1), toSteps(2)],
      },
      ...(encoding.intensity
        ? [{ name: '_INTENSITY', view: 0, offset: 6, componentType: 5123, type: 'SCALAR', normalized: true }]
        : []),
      ...(encoding.colored
        ? [{ name: 'COLOR_0', view: 0, offset: 8, componentType: 5121, type: 'VEC4', normalized: true }]
        : []),
    ],
  );
}

function encodeFloating(
  points: Records,
  order: Uint32Array,
  { minimum, maximum }: Box,
  extent: number,
  encoding: TileEncoding,
): Uint8Array {
  const centre: Point3 = [(minimum[0] + maximum[0]) / 2, (minimum[1] + maximum[1]) / 2, (minimum[2] + maximum[2]) / 2];
  const unorderedFloats = subtractOrigin(points, centre);
  const floats = new Float32Array(unorderedFloats.length);
  for (const [from, to] of order.entries())
    for (let axis = 0; axis < 3; axis++) floats[3 * to + axis] = unorderedFloats[3 * from + axis]!;
  const bits = Math.min(24, Math.ceil(Math.log2(extent / encoding.step)) + 1);
  const positions = MeshoptEncoder.encodeFilterExp(floats, points.count, 12, bits, 'SharedComponent');
  const views: View[] = [{ bytes: positions, stride: 12, filter: 'EXPONENTIAL' }];
  const attributes: Attribute[] = [
    {
      name: 'POSITION',
      view: 0,
      offset: 0,
      componentType: 5126,
      type: 'VEC3',
      minimum: [0, 1, 2].map((axis) => minimum[axis]! - centre[axis]! - extent * 1e-6),
      maximum: [0, 1, 2].map((axis) => maximum[axis]! - centre[axis]! + extent * 1e-6),
    },
  ];
  if (encoding.intensity || encoding.colored) {
    const block = new Uint8Array(points.count * 8);
    const view = new DataView(block.buffer);
    for (const [from, to] of order.entries()) {
      view.setUint16(to * 8, encodeIntensity(points, from, encoding), true);
      setColor(view, to * 8 + 4, points, from);
    }
    views.push({ bytes: block, stride: 8 });
    if (encoding.intensity)
      attributes.push({
        name: '_INTENSITY',
        view: 1,
        offset: 0,
        componentType: 5123,
        type: 'SCALAR',
        normalized: true,
      });
    if (encoding.colored)
      attributes.push({ name: 'COLOR_0', view: 1, offset: 4, componentType: 5121, type: 'VEC4', normalized: true });
  }
  return buildGlb(points.count, centre, 1, views, attributes);
}

function subtractOrigin(points: Records, origin: Point3): Float32Array {
  const out = new Float32Array(points.count * 3);
  for (let k = 0; k < points.count; k++)
    for (let axis = 0; axis < 3; axis++) out[3 * k + axis] = points.getPosition(k, axis) - origin[axis]!;
  return out;
}

function encodeIntensity(points: Records, index: number, { intensity }: TileEncoding): number {
  if (intensity === undefined || intensity.maximum <= intensity.minimum) return 0;
  return Math.round(
    ((points.getIntensity(index) - intensity.minimum) / (intensity.maximum - intensity.minimum)) * 65_535,
  );
}

function setColor(view: DataView, offset: number, points: Records, index: number): void {
  for (let channel = 0; channel < 3; channel++) view.setUint8(offset + channel, points.getColor(index, channel));
  view.setUint8(offset + 3, 255);
}

interface View {
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly filter?: 'EXPONENTIAL';
}

interface Attribute {
  readonly name: string;
  readonly view: number;
  readonly offset: number;
  readonly componentType: number;
  readonly type: string;
  readonly normalized?: boolean;
  readonly minimum?: readonly number[];
  readonly maximum?: readonly number[];
}

function buildGlb(
  count: number,
  origin: Point3,
  scale: number,
  views: readonly View[],
  attributes: readonly Attribute[],
): Uint8Array {
  const parts = views.map(({ bytes, stride }) =>
    MeshoptEncoder.encodeGltfBuffer(bytes, count, stride, 'ATTRIBUTES', 0),
  );
  let compressedBytes = 0;
  let plainBytes = 0;
  const bufferViews = views.map(({ bytes, stride, filter }, k) => {
    const view = {
      buffer: 1,
      byteOffset: plainBytes,
      byteLength: bytes.length,
      byteStride: stride,
      target: 34962,
      extensions: {
        EXT_meshopt_compression: {
          buffer: 0,
          byteOffset: compressedBytes,
          byteLength: parts[k]!.length,
          byteStride: stride,
          mode: 'ATTRIBUTES',
          count,
          ...(filter ? { filter } : {}),
        },
      },
    };
    compressedBytes = align(compressedBytes + parts[k]!.length);
    plainBytes = align(plainBytes + bytes.length);
    return view;
  });
  const extensions = [
    ...(attributes[0]?.componentType === 5123 ? ['KHR_mesh_quantization'] : []),
    'EXT_meshopt_compression',
  ];
  const json = JSON.stringify({
    asset: { version: '2.0', generator: 'Walkdown' },
    extensionsUsed: extensions,
    extensionsRequired: extensions,
    buffers: [
      { byteLength: compressedBytes },
      { byteLength: plainBytes, extensions: { EXT_meshopt_compression: { fallback: true } } },
    ],
    bufferViews,
    accessors: attributes.map(({ view, offset, componentType, type, normalized, minimum, maximum }) => ({
      bufferView: view,
      byteOffset: offset,
      componentType,
      type,
      count,
      ...(normalized ? { normalized } : {}),
      ...(minimum ? { min: minimum, max: maximum } : {}),
    })),
    meshes: [
      { primitives: [{ mode: 0, attributes: Object.fromEntries(attributes.map(({ name }, index) => [name, index])) }] },
    ],
    // Site (x east, y north, z up) to glTF (y up): x, z, -y.
    nodes: [
      { mesh: 0, matrix: [scale, 0, 0, 0, 0, 0, -scale, 0, 0, scale, 0, 0, origin[0], origin[2], -origin[1], 1] },
    ],
    scenes: [{ nodes: [0] }],
    scene: 0,
  });
  const text = Buffer.from(
    json.padEnd(Math.ceil(Buffer.byteLength(json) / 4) * 4 - Buffer.byteLength(json) + json.length),
  );
  const out = Buffer.alloc(12 + 8 + text.length + 8 + compressedBytes);
  out.write('glTF', 0, 'latin1');
  out.writeUInt32LE(2, 4);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(text.length, 12);
  out.write('JSON', 16, 'latin1');
  text.copy(out, 20);
  out.writeUInt32LE(compressedBytes, 20 + text.length);
  out.write('BIN\0', 24 + text.length, 'latin1');
  let offset = 28 + text.length;
  for (const part of parts) {
    out.set(part, offset);
    offset += align(part.length);
  }
  return out;
}

const align = (value: number): number => Math.ceil(value / 4) * 4;
