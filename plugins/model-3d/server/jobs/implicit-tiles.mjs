// Expands implicit tiling of 3D Tiles 1.1 (an extension in 1.0), where bits in subtree files state which tiles exist.
import path from 'node:path';
import { ValidationError } from './model-io.mjs';
import { toEntryName } from './zip-entries.mjs';

const maxTiles = 50_000;
/** Each level halves the edge of a tile. At level 32, a tile of the whole earth measures a centimetre. */
const maxLevels = 32;
const headerBytes = 24;

export const findImplicitTiling = (tile) => tile.implicitTiling ?? tile.extensions?.['3DTILES_implicit_tiling'];

/**
 * Converts an implicit tile and its descendants to explicit tiles without bounding volumes. `read` returns an entry of
 * the ZIP file by name. `folder` is the base of relative URLs.
 */
export async function toExplicitTile(tile, folder, read) {
  const tiling = findImplicitTiling(tile);
  const branches = { QUADTREE: 4, OCTREE: 8 }[tiling.subdivisionScheme];
  const levels = tiling.availableLevels ?? (tiling.maximumLevel ?? -1) + 1;
  const { subtreeLevels } = tiling;
  if (!branches || !(levels > 0) || !(subtreeLevels > 0) || typeof tiling.subtrees?.uri !== 'string')
    throw new ValidationError('model-3d.refused.implicitRule');
  if (levels > maxLevels) throw new ValidationError('model-3d.refused.implicitLevels', { levels, most: maxLevels });
  const templates = [...(tile.content ? [tile.content] : []), ...(tile.contents ?? [])];
  let tileCount = 0;

  const readSubtreeAt = async (coordinates) => {
    const name = toEntryName(fillTemplate(tiling.subtrees.uri, coordinates), folder);
    return readSubtree(name, read);
  };
  const buildTile = async (subtree, subtreeLevel, morton, coordinates) => {
    const index = (branches ** subtreeLevel - 1) / (branches - 1) + morton;
    if (!subtree.hasTile(index)) return undefined;
    tileCount += 1;
    if (tileCount > maxTiles) throw new ValidationError('model-3d.refused.implicitTiles', { most: maxTiles });
    const children = [];
    for (let branch = 0; coordinates.level + 1 < levels && branch < branches; branch++) {
      const childCoordinates = {
        level: coordinates.level + 1,
        x: coordinates.x * 2 + (branch & 1),
        y: coordinates.y * 2 + ((branch >> 1) & 1),
        z: coordinates.z * 2 + ((branch >> 2) & 1),
      };
      const childMorton = morton * branches + branch;
      const inSameSubtree = subtreeLevel + 1 < subtreeLevels;
      if (!inSameSubtree && !subtree.hasChildSubtree(childMorton)) continue;
      const child = inSameSubtree
        ? await buildTile(subtree, subtreeLevel + 1, childMorton, childCoordinates)
        : await buildTile(await readSubtreeAt(childCoordinates), 0, 0, childCoordinates);
      if (child) children.push(child);
    }
    return {
      geometricError: tile.geometricError / 2 ** coordinates.level,
      contents: templates.flatMap((content, contentIndex) =>
        subtree.hasContent(contentIndex, index) ? [{ ...content, uri: fillTemplate(content.uri, coordinates) }] : [],
      ),
      children,
    };
  };
  const origin = { level: 0, x: 0, y: 0, z: 0 };
  const expandedTile = await buildTile(await readSubtreeAt(origin), 0, 0, origin);
  const {
    implicitTiling: _tiling,
    extensions: _extensions,
    content: _content,
    contents: _contents,
    ...unchanged
  } = tile;
  return { ...unchanged, ...expandedTile, geometricError: tile.geometricError };
}

const fillTemplate = (template, coordinates) =>
  String(template).replaceAll(/\{(level|x|y|z)\}/g, (_, name) => String(coordinates[name]));

async function readSubtree(name, read) {
  const bytes = await read(name);
  if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
  const isBinary = bytes.toString('latin1', 0, 4) === 'subt';
  const length = isBinary ? Number(bytes.readBigUInt64LE(8)) : bytes.length;
  let json;
  try {
    json = JSON.parse(bytes.toString('utf8', isBinary ? headerBytes : 0, isBinary ? headerBytes + length : length));
  } catch {
    throw new ValidationError('model-3d.refused.subtree', {}, name);
  }
  const buffers = [];
  for (const buffer of json.buffers ?? []) {
    const entryName = buffer.uri === undefined ? undefined : toEntryName(String(buffer.uri), path.posix.dirname(name));
    const content = entryName === undefined ? bytes.subarray(headerBytes + length) : await read(entryName);
    if (!content) throw new ValidationError('model-3d.refused.zipLacks', { name: entryName });
    buffers.push(content);
  }
  const toBitReader = (availability) => {
    const view = json.bufferViews?.[availability?.bitstream ?? availability?.bufferView];
    if (!view) return () => availability?.constant === 1;
    return (index) => ((buffers[view.buffer]?.[(view.byteOffset ?? 0) + (index >> 3)] ?? 0) & (1 << (index & 7))) !== 0;
  };
  const contents = [json.contentAvailability ?? []].flat().map(toBitReader);
  return {
    hasTile: toBitReader(json.tileAvailability),
    hasContent: (contentIndex, index) => contents[contentIndex]?.(index) ?? false,
    hasChildSubtree: toBitReader(json.childSubtreeAvailability),
  };
}
