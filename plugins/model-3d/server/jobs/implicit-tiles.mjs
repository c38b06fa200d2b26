// Expands implicit tiling (3D Tiles 1.1, and the extension of 1.0 that preceded it), where bits in subtree files state
// which tiles exist.
import path from 'node:path';
import { ValidationError } from './model-io.mjs';
import { toEntryName } from './zip-entries.mjs';

const maxTiles = 50_000;
/** Each level halves the edge: at level 32 of the whole earth it is a centimetre. */
const maxLevels = 32;
const headBytes = 24;

export const findRule = (tile) => tile.implicitTiling ?? tile.extensions?.['3DTILES_implicit_tiling'];

/**
 * Converts an implicit tile and its descendants to explicit tiles; their volumes follow from their content. `read`
 * returns an entry of the ZIP file by name, `folder` is the base of relative addresses.
 */
export async function explicitTile(tile, folder, read) {
  const rule = findRule(tile);
  const branches = { QUADTREE: 4, OCTREE: 8 }[rule.subdivisionScheme];
  const levels = rule.availableLevels ?? (rule.maximumLevel ?? -1) + 1;
  const { subtreeLevels } = rule;
  if (!branches || !(levels > 0) || !(subtreeLevels > 0) || typeof rule.subtrees?.uri !== 'string')
    throw new ValidationError('model-3d.refused.implicitRule');
  if (levels > maxLevels) throw new ValidationError('model-3d.refused.implicitLevels', { levels, most: maxLevels });
  const templates = [...(tile.content ? [tile.content] : []), ...(tile.contents ?? [])];
  let tiles = 0;

  const subtreeAt = async (at) => {
    const name = toEntryName(filled(rule.subtrees.uri, at), folder);
    return readSubtree(name, read);
  };
  const build = async (subtree, local, morton, at) => {
    const index = (branches ** local - 1) / (branches - 1) + morton;
    if (!subtree.tile(index)) return undefined;
    tiles += 1;
    if (tiles > maxTiles) throw new ValidationError('model-3d.refused.implicitTiles', { most: maxTiles });
    const children = [];
    for (let branch = 0; at.level + 1 < levels && branch < branches; branch++) {
      const below = {
        level: at.level + 1,
        x: at.x * 2 + (branch & 1),
        y: at.y * 2 + ((branch >> 1) & 1),
        z: at.z * 2 + ((branch >> 2) & 1),
      };
      const number = morton * branches + branch;
      const within = local + 1 < subtreeLevels;
      if (!within && !subtree.child(number)) continue;
      const child = within
        ? await build(subtree, local + 1, number, below)
        : await build(await subtreeAt(below), 0, 0, below);
      if (child) children.push(child);
    }
    return {
      geometricError: tile.geometricError / 2 ** at.level,
      contents: templates.flatMap((content, which) =>
        subtree.content(which, index) ? [{ ...content, uri: filled(content.uri, at) }] : [],
      ),
      children,
    };
  };
  const origin = { level: 0, x: 0, y: 0, z: 0 };
  const built = await build(await subtreeAt(origin), 0, 0, origin);
  const { implicitTiling: _, extensions: __, content: ___, contents: ____, ...plain } = tile;
  return { ...plain, ...built, geometricError: tile.geometricError };
}

const filled = (template, at) => String(template).replaceAll(/\{(level|x|y|z)\}/g, (_, name) => String(at[name]));

async function readSubtree(name, read) {
  const bytes = await read(name);
  if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
  const packed = bytes.toString('latin1', 0, 4) === 'subt';
  const length = packed ? Number(bytes.readBigUInt64LE(8)) : bytes.length;
  let json;
  try {
    json = JSON.parse(bytes.toString('utf8', packed ? headBytes : 0, packed ? headBytes + length : length));
  } catch {
    throw new ValidationError('model-3d.refused.subtree', {}, name);
  }
  const buffers = [];
  for (const buffer of json.buffers ?? []) {
    const beside = buffer.uri === undefined ? undefined : toEntryName(String(buffer.uri), path.posix.dirname(name));
    const own = beside === undefined ? bytes.subarray(headBytes + length) : await read(beside);
    if (!own) throw new ValidationError('model-3d.refused.zipLacks', { name: beside });
    buffers.push(own);
  }
  const bits = (availability) => {
    const view = json.bufferViews?.[availability?.bitstream ?? availability?.bufferView];
    if (!view) return () => availability?.constant === 1;
    return (index) => ((buffers[view.buffer]?.[(view.byteOffset ?? 0) + (index >> 3)] ?? 0) & (1 << (index & 7))) !== 0;
  };
  const contents = [json.contentAvailability ?? []].flat().map(bits);
  return {
    tile: bits(json.tileAvailability),
    content: (which, index) => contents[which]?.(index) ?? false,
    child: bits(json.childSubtreeAvailability),
  };
}
