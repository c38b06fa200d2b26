// Divides a large model into tiles by position without splitting objects: large objects in the upper tiles, which load
// first, small ones below.
import { Document } from '@gltf-transform/core';
import { copyToDocument } from '@gltf-transform/functions';
import { readExtras, findTag, toSite, countMeshTriangles } from './model-io.mjs';
import { boxVolume, diagonal, emptyBox, isEmpty, join, minError } from './tile-writer.mjs';

/** Limit of one tile, unless a single object exceeds it. */
const maxTriangles = 80_000;
const maxObjects = 2_500;
const deepest = 10;
/** An object belongs to a tile if its size is at least this share of the tile's cell. */
const ownShare = 1 / 10;
/** A cell is halved along the sides that are longer than this share of its longest. */
const minSide = 0.4;
/**
 * Geometric error as a share of the largest object in a tile's children: with a limit of 16 pixels, an object of about
 * five pixels is loaded.
 */
const errorOfSize = 3;
/** Box of a node's own mesh, y up. */
function computeBox(node) {
  const box = emptyBox();
  const m = node.getWorldMatrix();
  for (const primitive of node.getMesh().listPrimitives()) {
    const position = primitive.getAttribute('POSITION');
    const [low, high] = [position.getMinNormalized([]), position.getMaxNormalized([])];
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map((axis) => (corner & (1 << axis) ? high[axis] : low[axis]));
      const point = [0, 1, 2].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);
      join(box, { min: point, max: point });
    }
  }
  return box;
}

/** Drawn content by object: its nodes with meshes, box, size and triangles. Records all objects in `rows`. */
function listUnits(scene, rows) {
  const units = new Map();
  const visit = (node, above) => {
    const extras = readExtras(node);
    const key = typeof extras.object === 'string' ? extras.object : '';
    const tag = findTag(extras);
    const own =
      key === ''
        ? above
        : rows.add({
            parent: above,
            key,
            name: String(extras.name ?? '') || node.getName() || String(tag ?? key),
            tag: tag === undefined ? undefined : String(tag),
            properties: extras,
          });
    if (node.getMesh()) {
      const box = toSite(computeBox(node));
      const unit = units.get(own) ?? { nodes: [], box: emptyBox(), triangles: 0 };
      units.set(own, unit);
      unit.nodes.push(node);
      unit.triangles += countMeshTriangles(node.getMesh());
      join(unit.box, box);
      if (own !== undefined) rows.reach(own, box);
    }
    for (const child of node.listChildren()) visit(child, own);
  };
  for (const node of scene.listChildren()) visit(node, undefined);
  return [...units.values()]
    .map((unit) => ({
      ...unit,
      size: diagonal(unit.box),
      middle: unit.box.min.map((low, axis) => (low + unit.box.max[axis]) / 2),
    }))
    .sort((a, b) => b.size - a.size);
}

/** Builds a tree of tiles; `own` is the content of each. `units` are sorted by size, largest first. */
function divide(units, cell, depth) {
  const all = units.reduce((sum, { triangles }) => sum + triangles, 0);
  if ((all <= maxTriangles && units.length <= maxObjects) || depth >= deepest || units.length === 1)
    return { own: units, children: [] };
  const least = diagonal(cell) * ownShare;
  const own = [];
  let triangles = 0;
  for (const unit of units) {
    if (unit.size < least || own.length >= maxObjects || (own.length > 0 && triangles + unit.triangles > maxTriangles))
      break;
    own.push(unit);
    triangles += unit.triangles;
  }
  const middle = cell.min.map((low, axis) => (low + cell.max[axis]) / 2);
  // A deck is flat: halving its height would put tiles on top of each other.
  const extent = cell.min.map((low, axis) => cell.max[axis] - low);
  const divides = extent.map((length) => length > Math.max(...extent) * minSide);
  const parts = new Map();
  for (const unit of units.slice(own.length)) {
    const which = unit.middle.reduce(
      (sum, value, axis) => sum + (divides[axis] && value >= middle[axis] ? 1 << axis : 0),
      0,
    );
    const inside = parts.get(which) ?? [];
    parts.set(which, inside);
    inside.push(unit);
  }
  const getHalf = (which) => ({
    min: cell.min.map((low, axis) => (which & (1 << axis) ? middle[axis] : low)),
    max: cell.max.map((high, axis) => (divides[axis] && !(which & (1 << axis)) ? middle[axis] : high)),
  });
  const children = [...parts].map(([which, inside]) => divide(inside, getHalf(which), depth + 1));
  // A cell without own content and with a single part is replaced by that part.
  return own.length === 0 && children.length === 1 ? children[0] : { own, children };
}

/** Creates a document of these objects only, each below copies of its ancestor nodes. */
function createDocument(units, source) {
  const document = new Document();
  const scene = document.createScene();
  const meshes = copyToDocument(document, source, [
    ...new Set(units.flatMap(({ nodes }) => nodes.map((node) => node.getMesh()))),
  ]);
  const copies = new Map();
  const copyNode = (node) => {
    const known = copies.get(node);
    if (known) return known;
    const { object, tag } = readExtras(node);
    const copy = document
      .createNode(object === undefined ? node.getName() : '')
      .setTranslation(node.getTranslation())
      .setRotation(node.getRotation())
      .setScale(node.getScale())
      .setExtras({ ...(object === undefined ? {} : { object }), ...(tag === undefined ? {} : { tag }) });
    copies.set(node, copy);
    const parent = node.getParentNode();
    if (parent) copyNode(parent).addChild(copy);
    else scene.addChild(copy);
    return copy;
  };
  for (const { nodes } of units) for (const node of nodes) copyNode(node).setMesh(meshes.get(node.getMesh()));
  return document;
}

/** Triangles as drawn, and approximate bytes of meshes and pictures, from which a model is tiled. */
export const largeFrom = { triangles: 1_500_000, bytes: 12_000_000 };
const bytesOfVertex = 8;

/** Whether a document should be tiled. A single object is never divided. */
export function isLarge(document, triangles, { triangles: most, bytes: heaviest } = largeFrom) {
  const root = document.getRoot();
  if (root.listNodes().filter((node) => node.getMesh()).length < 2) return false;
  const positions = new Set(
    root.listMeshes().flatMap((mesh) => mesh.listPrimitives().map((primitive) => primitive.getAttribute('POSITION'))),
  );
  const shapes = [...positions].reduce((sum, position) => sum + position.getCount() * bytesOfVertex, 0);
  const drawings = root.listTextures().reduce((sum, texture) => sum + (texture.getImage()?.byteLength ?? 0), 0);
  return triangles >= most || shapes + drawings >= heaviest;
}

/** Writes a prepared document as tiles. `say` receives the progress, 0 to 1. */
export async function splitModel(document, writer, say) {
  const root = document.getRoot();
  const units = listUnits(root.getDefaultScene() ?? root.listScenes()[0], writer.objects);
  const cell = units.reduce((box, unit) => join(box, unit.box), emptyBox());
  let done = 0;
  const write = async ({ own, children }) => {
    const content = own.length === 0 ? undefined : await writer.write(createDocument(own, document), { sharing: true });
    done += own.length;
    say(done / units.length);
    const below = [];
    for (const child of children) below.push(await write(child));
    const box = below.reduce((all, child) => join(all, child.bounds), content ? content.box : emptyBox());
    const size = Math.max(0, ...below.map((child) => child.size));
    return {
      bounds: isEmpty(box) ? { min: [0, 0, 0], max: [0, 0, 0] } : box,
      /** Size of the largest object here or below. */
      size: Math.max(size, own[0]?.size ?? 0),
      tile: {
        boundingVolume: boxVolume(box),
        geometricError: Math.max(minError, size * errorOfSize),
        refine: 'ADD',
        ...(content ? { content: { uri: content.uri } } : {}),
        ...(below.length > 0 ? { children: below.map(({ tile }) => tile) } : {}),
      },
    };
  };
  const { tile, size } = await write(divide(units, cell, 0));
  await writer.finish({ geometricError: size * errorOfSize, root: tile });
}
