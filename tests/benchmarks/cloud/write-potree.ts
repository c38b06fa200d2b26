import type { Point3 } from '#core';
import { decodeTile, readPositions } from '../../../plugins/scan/common/decode-tile.ts';
import type { CloudTile, CloudTileset } from '../../../plugins/scan/contract/api/cloud-tileset.ts';

const scale = 0.001;
/** Bytes of a point: three 32-bit integers and three 16-bit colour channels. */
const pointBytes = 18;
const entryBytes = 22;
/** Cells along an edge of a node in our tiles. */
const gridCells = 128;

/**
 * Converts tiles of our importer to a Potree 2.0 octree with the same nodes and points.
 *
 * @param files our tileset by path
 * @returns the three files of Potree by name
 */
export async function writePotree(files: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, Buffer>> {
  const tileset = JSON.parse(String(files.get('tileset.json'))) as CloudTileset;
  const { minimum, maximum, points } = tileset.extras;
  const edge = Math.max(maximum[0] - minimum[0], maximum[1] - minimum[1], maximum[2] - minimum[2]) * 1.000_001;
  const content: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  let depth = 0;
  const tiles: CloudTile[] = [tileset.root];
  // Parents come before their children, and children in the order of their octants.
  for (let index = 0; index < tiles.length; index++) {
    const tile = tiles[index]!;
    const children = listChildren(tile);
    const bytes = await writePoints(files.get(tile.content.uri), minimum);
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt8(children.length === 0 ? 1 : 0, 0);
    entry.writeUInt8(
      children.reduce((mask, { octant }) => mask | (1 << octant), 0),
      1,
    );
    entry.writeUInt32LE(bytes.length / pointBytes, 2);
    entry.writeBigUInt64LE(BigInt(offset), 6);
    entry.writeBigUInt64LE(BigInt(bytes.length), 14);
    entries.push(entry);
    content.push(bytes);
    offset += bytes.length;
    depth = Math.max(depth, readKey(tile).length);
    tiles.push(...children.map(({ child }) => child));
  }
  const farCorner: Point3 = [minimum[0] + edge, minimum[1] + edge, minimum[2] + edge];
  const metadata = {
    version: '2.0',
    name: 'cloud',
    description: '',
    points,
    projection: '',
    hierarchy: { firstChunkSize: entries.length * entryBytes, stepSize: depth + 1, depth },
    offset: minimum,
    scale: [scale, scale, scale],
    spacing: edge / gridCells,
    boundingBox: { min: minimum, max: farCorner },
    encoding: 'DEFAULT',
    attributes: [
      {
        name: 'position',
        description: '',
        size: 12,
        numElements: 3,
        elementSize: 4,
        type: 'int32',
        min: minimum,
        max: farCorner,
      },
      {
        name: 'rgb',
        description: '',
        size: 6,
        numElements: 3,
        elementSize: 2,
        type: 'uint16',
        min: [0, 0, 0],
        max: [255, 255, 255],
      },
    ],
  };
  return new Map([
    ['metadata.json', Buffer.from(JSON.stringify(metadata))],
    ['hierarchy.bin', Buffer.concat(entries)],
    ['octree.bin', Buffer.concat(content)],
  ]);
}

/** The path of a tile, such as `r021`. */
const readKey = (tile: CloudTile): string => /(r\d*)\.glb$/.exec(tile.content.uri)?.[1] ?? '';

/** Potree's octants have the bits of x and z exchanged. */
function listChildren(tile: CloudTile): readonly { readonly octant: number; readonly child: CloudTile }[] {
  return (tile.children ?? [])
    .map((child) => {
      const octant = Number(readKey(child).at(-1));
      return { octant: ((octant & 1) << 2) | (octant & 2) | (octant >> 2), child };
    })
    .sort((a, b) => a.octant - b.octant);
}

async function writePoints(glb: Buffer | undefined, minimum: Point3): Promise<Buffer> {
  if (!glb) throw new Error('A tile of the cloud is missing.');
  const tile = await decodeTile(glb);
  const positions = readPositions(tile);
  const colors = tile.color && tile.blocks[tile.color.block];
  const bytes = Buffer.alloc(tile.count * pointBytes);
  for (let index = 0; index < tile.count; index++) {
    for (let axis = 0; axis < 3; axis++) {
      const steps = Math.round((positions[3 * index + axis]! - minimum[axis]!) / scale);
      bytes.writeInt32LE(steps, index * pointBytes + 4 * axis);
      const color = colors && tile.color ? colors.bytes[index * colors.stride + tile.color.offset + axis]! : 200;
      bytes.writeUInt16LE(color, index * pointBytes + 12 + 2 * axis);
    }
  }
  return bytes;
}
