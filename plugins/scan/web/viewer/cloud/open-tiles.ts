import type { CloudTile, CloudTileset } from '../../../contract/api/cloud-tileset.ts';
import {
  CloudUnreadable,
  fetchBytes,
  findOctant,
  toChildCube,
  type CloudNode,
  type Cube,
  type OpenCloud,
} from './cloud-node.ts';

/** The importer enlarges the cube of the points by this factor. */
const cubeFactor = 1.000_001;

/**
 * Opens a tileset of our importer. Throws `CloudUnreadable`.
 *
 * @param url URL of the folder with `tileset.json`
 */
export async function openTiles(url: string, signal?: AbortSignal): Promise<OpenCloud> {
  const tileset = parseTileset(await fetchBytes(`${url}/tileset.json`, signal));
  const { minimum, maximum, points, colored } = tileset.extras;
  const edge = Math.max(maximum[0] - minimum[0], maximum[1] - minimum[1], maximum[2] - minimum[2]);
  const cube = { minimum, edge: edge * cubeFactor };
  return {
    root: createNode(url, tileset.root, cube, edge / 128),
    box: { minimum, maximum },
    count: points,
    colored,
  };
}

function parseTileset(bytes: Uint8Array): CloudTileset {
  try {
    const tileset = JSON.parse(new TextDecoder().decode(bytes)) as CloudTileset;
    if (
      tileset.asset.version === '1.1' &&
      tileset.root.boundingVolume.box.length === 12 &&
      Number.isFinite(tileset.extras.points)
    )
      return tileset;
  } catch (cause) {
    throw new CloudUnreadable('The description of the point cloud is damaged.', { cause });
  }
  throw new CloudUnreadable('The description of the point cloud has a format that this viewer does not know.');
}

/** @param maxSpacing maximum point spacing of a tile that shows all its points: half of its parent's spacing */
function createNode(url: string, tile: CloudTile, cube: Cube, maxSpacing: number): CloudNode {
  const [x, y, z, hx, , , , hy, , , , hz] = tile.boundingVolume.box as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const spacing = tile.geometricError || Math.min(maxSpacing, estimateSpacing(hx, hy, hz, tile.extras.points));
  return {
    key: tile.content.uri,
    box: { minimum: [x - hx, y - hy, z - hz], maximum: [x + hx, y + hy, z + hz] },
    cube,
    count: tile.extras.points,
    spacing,
    source: { kind: 'TILE', url: `${url}/${tile.content.uri}` },
    children: (tile.children ?? []).map((child) => {
      const [childX = 0, childY = 0, childZ = 0] = child.boundingVolume.box;
      return createNode(url, child, toChildCube(cube, findOctant(cube, [childX, childY, childZ])), spacing / 2);
    }),
    tile: undefined,
    requestedAt: 0,
  };
}

/** Estimates the metres between points that are spread over the sides of a box with these half edges. */
function estimateSpacing(x: number, y: number, z: number, count: number): number {
  return Math.sqrt((4 * (x * y + y * z + z * x)) / Math.max(1, count));
}
