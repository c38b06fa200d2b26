import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { Point3 } from '#core';

/** The layout of an attribute in the blocks of a tile. */
export interface TileAttribute {
  readonly block: number;
  /** Byte offset of the attribute in the record of a point. */
  readonly offset: number;
}

/**
 * The points of a tile in the layout of the graphics card. A coordinate in the site frame is
 * `origin + scale * stored number`.
 */
export interface DecodedTile {
  readonly count: number;
  readonly origin: Point3;
  readonly scale: number;
  readonly blocks: readonly { readonly bytes: Uint8Array; readonly stride: number }[];
  /** Three unsigned 16-bit integers or floats. */
  readonly position: TileAttribute & { readonly type: 'UINT16' | 'FLOAT32' };
  /** Red, green, blue, 255 as bytes. */
  readonly color: TileAttribute | undefined;
  /** Unsigned 16-bit integers. */
  readonly intensity: TileAttribute | undefined;
}

/** A tile that is truncated, damaged or not made by our importer. */
export class TileDamagedError extends Error {
  override readonly name = 'TileDamagedError';
}

interface Gltf {
  readonly bufferViews: readonly {
    readonly byteStride: number;
    readonly extensions: {
      readonly EXT_meshopt_compression: {
        readonly byteOffset: number;
        readonly byteLength: number;
        readonly byteStride: number;
        readonly count: number;
        readonly mode: string;
        readonly filter?: string;
      };
    };
  }[];
  readonly accessors: readonly {
    readonly bufferView: number;
    readonly byteOffset: number;
    readonly componentType: number;
    readonly count: number;
  }[];
  readonly meshes: readonly [
    { readonly primitives: readonly [{ readonly attributes: Readonly<Record<string, number>> }] },
  ];
  readonly nodes: readonly [{ readonly matrix: readonly number[] }];
}

const maxPoints = 1 << 24;

/** Decodes a tile of our importer (see `encodeTile`). Throws `TileDamagedError`. */
export async function decodeTile(bytes: Uint8Array): Promise<DecodedTile> {
  await MeshoptDecoder.ready;
  try {
    return decode(bytes);
  } catch (cause) {
    if (cause instanceof TileDamagedError) throw cause;
    throw new TileDamagedError('A tile of the point cloud is damaged or cut off.', { cause });
  }
}

function decode(bytes: Uint8Array): DecodedTile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== 0x46546c67 || view.getUint32(8, true) !== bytes.byteLength)
    throw new TileDamagedError('A tile of the point cloud is damaged or cut off.');
  const jsonLength = view.getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength))) as Gltf;
  const data = bytes.subarray(28 + jsonLength);
  const blocks = gltf.bufferViews.map(
    ({ byteStride: stride, extensions: { EXT_meshopt_compression: compression } }) => {
      if (!(compression.count > 0 && compression.count <= maxPoints && stride > 0 && stride <= 256))
        throw new TileDamagedError('A tile of the point cloud states more points than are possible.');
      const block = new Uint8Array(compression.count * stride);
      MeshoptDecoder.decodeGltfBuffer(
        block,
        compression.count,
        stride,
        data.subarray(compression.byteOffset, compression.byteOffset + compression.byteLength),
        compression.mode,
        compression.filter,
      );
      return { bytes: block, stride };
    },
  );
  const { attributes } = gltf.meshes[0].primitives[0];
  const findAttribute = (
    name: string,
  ): (TileAttribute & { readonly componentType: number; readonly count: number }) | undefined => {
    const accessor = gltf.accessors[attributes[name] ?? -1];
    return (
      accessor && {
        block: accessor.bufferView,
        offset: accessor.byteOffset,
        componentType: accessor.componentType,
        count: accessor.count,
      }
    );
  };
  const position = findAttribute('POSITION');
  const matrix = gltf.nodes[0].matrix;
  if (!position || matrix.length !== 16 || blocks.some((block) => block.bytes.length !== position.count * block.stride))
    throw new TileDamagedError('A tile of the point cloud has no positions.');
  return {
    count: position.count,
    origin: [matrix[12]!, -matrix[14]!, matrix[13]!],
    scale: matrix[0]!,
    blocks,
    position: {
      block: position.block,
      offset: position.offset,
      type: position.componentType === 5126 ? 'FLOAT32' : 'UINT16',
    },
    color: findAttribute('COLOR_0'),
    intensity: findAttribute('_INTENSITY'),
  };
}

/** Reads x y z of all points in metres of the site frame. */
export function readPositions(tile: DecodedTile): Float64Array {
  const { count, origin, scale, position } = tile;
  const { bytes, stride } = tile.blocks[position.block]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Float64Array(count * 3);
  for (let k = 0, offset = position.offset; k < count; k++, offset += stride) {
    for (let axis = 0; axis < 3; axis++)
      out[3 * k + axis] =
        origin[axis]! +
        scale *
          (position.type === 'UINT16'
            ? view.getUint16(offset + 2 * axis, true)
            : view.getFloat32(offset + 4 * axis, true));
  }
  return out;
}
