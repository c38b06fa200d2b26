// Opens the content of a tile of 3D Tiles, which is a GLB, b3dm or i3dm, or a cmpt of these.
import path from 'node:path';
import { Document } from '@gltf-transform/core';
import { mergeDocuments } from '@gltf-transform/functions';
import { B3DMLoaderBase, CMPTLoaderBase, I3DMLoaderBase } from '3d-tiles-renderer/core';
import { readGlb, ValidationError } from './model-io.mjs';
import { computeEastNorthUp, identity, multiply, translation } from './tile-frames.mjs';
import { toEntryName } from './zip-entries.mjs';

const copyBuffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

/**
 * Reads the contents of one tile into one document. `content.scenes` has the nodes of each content, its matrix in the
 * tile's frame (y up) and its table of features or instance, if any. `points` and `unread` count omitted contents.
 */
export async function openContent(io, contents, read) {
  const omittedCounts = { points: 0, unread: 0 };
  const pieces = [];
  for (const { name, metadata, group } of contents) {
    const bytes = await read(name);
    if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
    for (const piece of await readPieces(io, bytes, name, read, omittedCounts))
      pieces.push({ ...piece, name, properties: metadata?.properties, group });
  }
  if (pieces.length === 0) return omittedCounts;
  const document = new Document();
  const scene = document.createScene();
  const scenes = [];
  for (const { source, matrices, ...pieceFields } of pieces) {
    const sourceScene = source.getRoot().getDefaultScene() ?? source.getRoot().listScenes()[0];
    if (!sourceScene) continue;
    const map = mergeDocuments(document, source);
    const copy = map.get(sourceScene);
    const nodes = copy.listChildren();
    copy.dispose();
    matrices.forEach(({ matrix, instance }, index) =>
      scenes.push({
        nodes: index === 0 ? nodes : nodes.map((node) => copyNode(document, node)),
        matrix,
        instance,
        ...pieceFields,
      }),
    );
  }
  for (const otherScene of document.getRoot().listScenes()) if (otherScene !== scene) otherScene.dispose();
  document.getRoot().setDefaultScene(scene);
  return { ...omittedCounts, content: { document, scene, scenes } };
}

/** Copies a node and its descendants, which share their meshes with the copies. */
function copyNode(document, node) {
  const copy = document
    .createNode(node.getName())
    .setMesh(node.getMesh())
    .setTranslation(node.getTranslation())
    .setRotation(node.getRotation())
    .setScale(node.getScale())
    .setExtras(node.getExtras());
  for (const child of node.listChildren()) copy.addChild(copyNode(document, child));
  return copy;
}

async function readPieces(io, bytes, name, read, counts) {
  const kind = bytes.toString('latin1', 0, 4);
  try {
    if (kind === 'glTF') {
      return [{ source: await readGlb(io, bytes), matrices: [{ matrix: readRtcMatrix(bytes) }] }];
    }
    if (kind === 'b3dm') return await readBatched(io, bytes);
    if (kind === 'i3dm') return await readInstanced(io, bytes, name, read);
    if (kind === 'cmpt') {
      const pieces = [];
      for (const { buffer } of new CMPTLoaderBase().parse(copyBuffer(bytes)).tiles)
        pieces.push(...(await readPieces(io, Buffer.from(buffer), name, read, counts)));
      return pieces;
    }
  } catch (error) {
    throw error instanceof ValidationError
      ? new ValidationError(error.userMessage.message, error.userMessage.values, name)
      : new ValidationError('model-3d.refused.tileUnreadable', {}, name, { cause: error });
  }
  if (kind === 'pnts') counts.points += 1;
  else counts.unread += 1;
  return [];
}

/** Reads the origin of the positions, which some tiles state in the glTF itself. */
const readRtcMatrix = (glb) => {
  const center = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12))).extensions?.CESIUM_RTC?.center;
  return Array.isArray(center) ? translation(center) : identity;
};

async function readBatched(io, bytes) {
  const { featureTable, batchTable, glbBytes } = new B3DMLoaderBase().parse(copyBuffer(bytes));
  const center = featureTable.getData('RTC_CENTER', 1, 'FLOAT', 'VEC3');
  const count = Number(featureTable.getData('BATCH_LENGTH')) || 0;
  return [
    {
      source: await readGlb(io, Buffer.from(glbBytes)),
      matrices: [{ matrix: center ? translation([...center]) : identity }],
      table: count > 0 ? { count, findRow: (id) => batchTable.getDataFromId(id) } : undefined,
    },
  ];
}

/** Removes the padding of a URL, which is NUL or spaces. */
const decodePaddedUrl = (bytes) =>
  Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/[\0 ]+$/g, '');

async function readInstanced(io, bytes, name, read) {
  const format = bytes.readUInt32LE(28);
  // Declares the GLB as embedded, because the loader would fetch its URL, which is an entry of the ZIP file.
  const embeddedTile = Buffer.from(bytes);
  embeddedTile.writeUInt32LE(1, 28);
  const { featureTable, batchTable, glbBytes } = await new I3DMLoaderBase().parse(copyBuffer(embeddedTile));
  const entryName = format === 0 ? toEntryName(decodePaddedUrl(glbBytes), path.posix.dirname(name)) : undefined;
  const glb = entryName === undefined ? Buffer.from(glbBytes) : await read(entryName);
  if (!glb) throw new ValidationError('model-3d.refused.zipLacks', { name: entryName });
  const count = Number(featureTable.getData('INSTANCES_LENGTH')) || 0;
  const readSemantic = (semantic, type, component = 'FLOAT') => featureTable.getData(semantic, count, component, type);
  const positions = readPositions(featureTable, readSemantic, count);
  const [ups, rights, scales, axisScales] = [
    readSemantic('NORMAL_UP', 'VEC3'),
    readSemantic('NORMAL_RIGHT', 'VEC3'),
    readSemantic('SCALE', 'SCALAR'),
    readSemantic('SCALE_NON_UNIFORM', 'VEC3'),
  ];
  if (!ups && featureTable.getData('NORMAL_UP_OCT32P', count, 'UNSIGNED_SHORT', 'VEC2'))
    throw new ValidationError('model-3d.refused.packedDirections');
  const center = featureTable.getData('RTC_CENTER', 1, 'FLOAT', 'VEC3') ?? [0, 0, 0];
  const readVector = (array, index) => [array[index * 3], array[index * 3 + 1], array[index * 3 + 2]];
  const matrices = Array.from({ length: count }, (_, index) => {
    const position = readVector(positions, index).map((value, axis) => value + center[axis]);
    let [right, forward, up] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    if (ups && rights) {
      up = readVector(ups, index);
      right = readVector(rights, index);
      forward = [
        up[1] * right[2] - up[2] * right[1],
        up[2] * right[0] - up[0] * right[2],
        up[0] * right[1] - up[1] * right[0],
      ];
    } else if (featureTable.getData('EAST_NORTH_UP')) {
      const axes = computeEastNorthUp(position);
      [right, forward, up] = [axes.east, axes.north, axes.up];
    }
    const size = [0, 1, 2].map(
      (axis) => (scales ? scales[index] : 1) * (axisScales ? axisScales[index * 3 + axis] : 1),
    );
    const unscaledMatrix = [...right, 0, ...forward, 0, ...up, 0, ...position, 1];
    return {
      matrix: multiply(unscaledMatrix, [size[0], 0, 0, 0, 0, size[1], 0, 0, 0, 0, size[2], 0, 0, 0, 0, 1]),
      instance: { index, properties: batchTable.getKeys().length > 0 ? batchTable.getDataFromId(index) : {} },
    };
  });
  return matrices.length === 0 ? [] : [{ source: await readGlb(io, glb), matrices }];
}

function readPositions(featureTable, readSemantic, count) {
  const floats = readSemantic('POSITION', 'VEC3');
  if (floats) return floats;
  const quantizedPositions = readSemantic('POSITION_QUANTIZED', 'VEC3', 'UNSIGNED_SHORT');
  const [offset, scale] = ['QUANTIZED_VOLUME_OFFSET', 'QUANTIZED_VOLUME_SCALE'].map((semantic) =>
    featureTable.getData(semantic, 1, 'FLOAT', 'VEC3'),
  );
  if (!quantizedPositions || !offset || !scale) throw new ValidationError('model-3d.refused.noInstancePlaces');
  return Float64Array.from(
    { length: count * 3 },
    (_, index) => offset[index % 3] + (quantizedPositions[index] / 65535) * scale[index % 3],
  );
}
