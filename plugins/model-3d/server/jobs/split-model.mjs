// Divides a large model into tiles by position without splitting objects. Large objects are in the upper tiles, which
// load first, and small objects in the tiles below.
import { Document } from '@gltf-transform/core';
import { copyToDocument } from '@gltf-transform/functions';
import { readExtras, findTag, toSite, countMeshTriangles } from './model-io.mjs';
import { toBoxVolume, computeDiagonal, emptyBox, isEmpty, expandBox, minError } from './tile-writer.mjs';

/** Limits of one tile. A single object may exceed them. */
const maxTriangles = 80_000;
const maxObjects = 2_500;
const maxDepth = 10;
/** An object belongs to a tile if its size is at least this share of the diagonal of the tile's cell. */
const minSizeShare = 1 / 10;
/** A cell is halved along the sides that are longer than this share of its longest side. */
const minSideShare = 0.4;
/**
 * The geometric error of a tile is the size of the largest object below it, times this factor. With a limit of 16
 * pixels, an object is loaded when it is about five pixels large.
 */
const errorPerSize = 3;

/** Computes the box of a node's own mesh, y up. */
function computeBox(node) {
  const box = emptyBox();
  const matrix = node.getWorldMatrix();
  for (const primitive of node.getMesh().listPrimitives()) {
    const position = primitive.getAttribute('POSITION');
    const [low, high] = [position.getMinNormalized([]), position.getMaxNormalized([])];
    for (let corner = 0; corner < 8; corner++) {
      const [x, y, z] = [0, 1, 2].map((axis) => (corner & (1 << axis) ? high[axis] : low[axis]));
      const point = [0, 1, 2].map(
        (row) => matrix[row] * x + matrix[row + 4] * y + matrix[row + 8] * z + matrix[row + 12],
      );
      expandBox(box, { min: point, max: point });
    }
  }
  return box;
}

/** Lists the objects that have meshes as units for tiling, largest first. Adds all objects to `objectRows`. */
function listUnits(scene, objectRows) {
  const units = new Map();
  const visit = (node, parentRow) => {
    const extras = readExtras(node);
    const key = typeof extras.object === 'string' ? extras.object : '';
    const tag = findTag(extras);
    const row =
      key === ''
        ? parentRow
        : objectRows.add({
            parent: parentRow,
            key,
            name: String(extras.name ?? '') || node.getName() || String(tag ?? key),
            tag: tag === undefined ? undefined : String(tag),
            properties: extras,
          });
    if (node.getMesh()) {
      const box = toSite(computeBox(node));
      const unit = units.get(row) ?? { nodes: [], box: emptyBox(), triangles: 0 };
      units.set(row, unit);
      unit.nodes.push(node);
      unit.triangles += countMeshTriangles(node.getMesh());
      expandBox(unit.box, box);
      if (row !== undefined) objectRows.addBox(row, box);
    }
    for (const child of node.listChildren()) visit(child, row);
  };
  for (const node of scene.listChildren()) visit(node, undefined);
  return [...units.values()]
    .map((unit) => ({
      ...unit,
      size: computeDiagonal(unit.box),
      middle: unit.box.min.map((low, axis) => (low + unit.box.max[axis]) / 2),
    }))
    .sort((a, b) => b.size - a.size);
}

/** Builds a tree of tiles, of which `ownUnits` is the content. Expects units that are sorted by size, largest first. */
function divideUnits(units, cell, depth) {
  const totalTriangles = units.reduce((sum, { triangles }) => sum + triangles, 0);
  if ((totalTriangles <= maxTriangles && units.length <= maxObjects) || depth >= maxDepth || units.length === 1)
    return { ownUnits: units, children: [] };
  const minSize = computeDiagonal(cell) * minSizeShare;
  const ownUnits = [];
  let triangles = 0;
  for (const unit of units) {
    if (
      unit.size < minSize ||
      ownUnits.length >= maxObjects ||
      (ownUnits.length > 0 && triangles + unit.triangles > maxTriangles)
    )
      break;
    ownUnits.push(unit);
    triangles += unit.triangles;
  }
  const middle = cell.min.map((low, axis) => (low + cell.max[axis]) / 2);
  // A deck is flat: halving its height would put tiles on top of each other.
  const extent = cell.min.map((low, axis) => cell.max[axis] - low);
  const isDivided = extent.map((length) => length > Math.max(...extent) * minSideShare);
  const subcells = new Map();
  for (const unit of units.slice(ownUnits.length)) {
    const subcellIndex = unit.middle.reduce(
      (sum, value, axis) => sum + (isDivided[axis] && value >= middle[axis] ? 1 << axis : 0),
      0,
    );
    const subcellUnits = subcells.get(subcellIndex) ?? [];
    subcells.set(subcellIndex, subcellUnits);
    subcellUnits.push(unit);
  }
  const computeSubcell = (subcellIndex) => ({
    min: cell.min.map((low, axis) => (subcellIndex & (1 << axis) ? middle[axis] : low)),
    max: cell.max.map((high, axis) => (isDivided[axis] && !(subcellIndex & (1 << axis)) ? middle[axis] : high)),
  });
  const children = [...subcells].map(([subcellIndex, subcellUnits]) =>
    divideUnits(subcellUnits, computeSubcell(subcellIndex), depth + 1),
  );
  // A cell without own content and with a single part is replaced by that part.
  return ownUnits.length === 0 && children.length === 1 ? children[0] : { ownUnits, children };
}

/** Creates a document with some units, each below copies of its ancestor nodes. */
function createDocument(units, source) {
  const document = new Document();
  const scene = document.createScene();
  const meshes = copyToDocument(document, source, [
    ...new Set(units.flatMap(({ nodes }) => nodes.map((node) => node.getMesh()))),
  ]);
  const copies = new Map();
  const copyNode = (node) => {
    const existingCopy = copies.get(node);
    if (existingCopy) return existingCopy;
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

/** Models with at least as many drawn triangles, or bytes of meshes and pictures, are tiled. */
export const tilingThresholds = { triangles: 1_500_000, bytes: 12_000_000 };
const bytesPerVertex = 8;

/** A document with a single object is never tiled. */
export function shouldBeTiled(document, triangles, { triangles: minTriangles, bytes: minBytes } = tilingThresholds) {
  const root = document.getRoot();
  if (root.listNodes().filter((node) => node.getMesh()).length < 2) return false;
  const positions = new Set(
    root.listMeshes().flatMap((mesh) => mesh.listPrimitives().map((primitive) => primitive.getAttribute('POSITION'))),
  );
  const shapeBytes = [...positions].reduce((sum, position) => sum + position.getCount() * bytesPerVertex, 0);
  const pictureBytes = root.listTextures().reduce((sum, texture) => sum + (texture.getImage()?.byteLength ?? 0), 0);
  return triangles >= minTriangles || shapeBytes + pictureBytes >= minBytes;
}

/** Writes a prepared document as tiles. `onProgress` receives the progress, from 0 to 1. */
export async function splitModel(document, writer, onProgress) {
  const root = document.getRoot();
  const units = listUnits(root.getDefaultScene() ?? root.listScenes()[0], writer.objects);
  const cell = units.reduce((box, unit) => expandBox(box, unit.box), emptyBox());
  let writtenUnits = 0;
  const write = async ({ ownUnits, children }) => {
    const content =
      ownUnits.length === 0
        ? undefined
        : await writer.write(createDocument(ownUnits, document), { sharesPictures: true });
    writtenUnits += ownUnits.length;
    onProgress(writtenUnits / units.length);
    const writtenChildren = [];
    for (const child of children) writtenChildren.push(await write(child));
    const box = writtenChildren.reduce(
      (joinedBox, child) => expandBox(joinedBox, child.bounds),
      content ? content.box : emptyBox(),
    );
    const largestChildSize = Math.max(0, ...writtenChildren.map((child) => child.size));
    return {
      bounds: isEmpty(box) ? { min: [0, 0, 0], max: [0, 0, 0] } : box,
      /** Size of the largest object in this tile and its children. */
      size: Math.max(largestChildSize, ownUnits[0]?.size ?? 0),
      tile: {
        boundingVolume: toBoxVolume(box),
        geometricError: Math.max(minError, largestChildSize * errorPerSize),
        refine: 'ADD',
        ...(content ? { content: { uri: content.uri } } : {}),
        ...(writtenChildren.length > 0 ? { children: writtenChildren.map(({ tile }) => tile) } : {}),
      },
    };
  };
  const { tile, size } = await write(divideUnits(units, cell, 0));
  await writer.finish({ geometricError: size * errorPerSize, root: tile });
}
