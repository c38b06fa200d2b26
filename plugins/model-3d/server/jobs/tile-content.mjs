// Opens the content of a tile of 3D Tiles: GLB, b3dm, i3dm, and cmpt of these.
import path from 'node:path';
import { Document } from '@gltf-transform/core';
import { mergeDocuments } from '@gltf-transform/functions';
import { B3DMLoaderBase, CMPTLoaderBase, I3DMLoaderBase } from '3d-tiles-renderer/core';
import { readGlb, ValidationError } from './model-io.mjs';
import { eastNorthUp, identity, multiply, translation } from './tile-frames.mjs';
import { toEntryName } from './zip-entries.mjs';

const ownBytes = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

/**
 * Reads the contents of one tile into one document. `parts.scenes`: the nodes of each content with its matrix (tile's
 * frame, before y up becomes z up) and its feature or instance table, if any. `points` and `unread` count omitted
 * content.
 */
export async function openContent(io, contents, read) {
  const counts = { points: 0, unread: 0 };
  const pieces = [];
  for (const { name, metadata, group } of contents) {
    const bytes = await read(name);
    if (!bytes) throw new ValidationError('model-3d.refused.zipLacks', { name });
    for (const piece of await readPieces(io, bytes, name, read, counts))
      pieces.push({ ...piece, name, properties: metadata?.properties, group });
  }
  if (pieces.length === 0) return counts;
  const document = new Document();
  const scene = document.createScene();
  const scenes = [];
  for (const { source, matrices, ...rest } of pieces) {
    const [from] = [source.getRoot().getDefaultScene() ?? source.getRoot().listScenes()[0]];
    if (!from) continue;
    const map = mergeDocuments(document, source);
    const copy = map.get(from);
    const nodes = copy.listChildren();
    copy.dispose();
    matrices.forEach(({ matrix, instance }, index) =>
      scenes.push({
        nodes: index === 0 ? nodes : nodes.map((node) => copyNode(document, node)),
        matrix,
        instance,
        ...rest,
      }),
    );
  }
  for (const other of document.getRoot().listScenes()) if (other !== scene) other.dispose();
  document.getRoot().setDefaultScene(scene);
  return { ...counts, document: { scene, parts: { document, scenes } } };
}

/** The same meshes again: nodes are copied, meshes shared. */
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
      return [{ source: await readGlb(io, bytes), matrices: [{ matrix: readRtc(bytes) }] }];
    }
    if (kind === 'b3dm') return await batched(io, bytes);
    if (kind === 'i3dm') return await instanced(io, bytes, name, read);
    if (kind === 'cmpt') {
      const found = [];
      for (const { buffer } of new CMPTLoaderBase().parse(ownBytes(bytes)).tiles)
        found.push(...(await readPieces(io, Buffer.from(buffer), name, read, counts)));
      return found;
    }
  } catch (error) {
    throw error instanceof ValidationError
      ? new ValidationError(error.told.message, error.told.values, name)
      : new ValidationError('model-3d.refused.tileUnreadable', {}, name, { cause: error });
  }
  if (kind === 'pnts') counts.points += 1;
  else counts.unread += 1;
  return [];
}

/** Some tiles state the origin of their positions in the glTF itself. */
const readRtc = (glb) => {
  const center = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12))).extensions?.CESIUM_RTC?.center;
  return Array.isArray(center) ? translation(center) : identity;
};

async function batched(io, bytes) {
  const { featureTable, batchTable, glbBytes } = new B3DMLoaderBase().parse(ownBytes(bytes));
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

/** Addresses are padded. */
const toText = (bytes) =>
  Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/[\0 ]+$/g, '');

async function instanced(io, bytes, name, read) {
  const format = bytes.readUInt32LE(28);
  // The loader would fetch an address. Here it is an entry of the same ZIP file.
  const own = Buffer.from(bytes);
  own.writeUInt32LE(1, 28);
  const { featureTable, batchTable, glbBytes } = await new I3DMLoaderBase().parse(ownBytes(own));
  const beside = format === 0 ? toEntryName(toText(glbBytes), path.posix.dirname(name)) : undefined;
  const glb = beside === undefined ? Buffer.from(glbBytes) : await read(beside);
  if (!glb) throw new ValidationError('model-3d.refused.zipLacks', { name: beside });
  const count = Number(featureTable.getData('INSTANCES_LENGTH')) || 0;
  const get = (what, type, component = 'FLOAT') => featureTable.getData(what, count, component, type);
  const positions = readPositions(featureTable, get, count);
  const [ups, rights, scales, scale3] = [
    get('NORMAL_UP', 'VEC3'),
    get('NORMAL_RIGHT', 'VEC3'),
    get('SCALE', 'SCALAR'),
    get('SCALE_NON_UNIFORM', 'VEC3'),
  ];
  if (!ups && featureTable.getData('NORMAL_UP_OCT32P', count, 'UNSIGNED_SHORT', 'VEC2'))
    throw new ValidationError('model-3d.refused.packedDirections');
  const center = featureTable.getData('RTC_CENTER', 1, 'FLOAT', 'VEC3') ?? [0, 0, 0];
  const three = (array, index) => [array[index * 3], array[index * 3 + 1], array[index * 3 + 2]];
  const matrices = Array.from({ length: count }, (_, index) => {
    const place = three(positions, index).map((value, axis) => value + center[axis]);
    let [right, forward, up] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    if (ups && rights) {
      up = three(ups, index);
      right = three(rights, index);
      forward = [
        up[1] * right[2] - up[2] * right[1],
        up[2] * right[0] - up[0] * right[2],
        up[0] * right[1] - up[1] * right[0],
      ];
    } else if (featureTable.getData('EAST_NORTH_UP')) {
      const level = eastNorthUp(place);
      [right, forward, up] = [level.east, level.north, level.up];
    }
    const size = [0, 1, 2].map((axis) => (scales ? scales[index] : 1) * (scale3 ? scale3[index * 3 + axis] : 1));
    const turned = [...right, 0, ...forward, 0, ...up, 0, ...place, 1];
    return {
      matrix: multiply(turned, [size[0], 0, 0, 0, 0, size[1], 0, 0, 0, 0, size[2], 0, 0, 0, 0, 1]),
      instance: { index, properties: batchTable.getKeys().length > 0 ? batchTable.getDataFromId(index) : {} },
    };
  });
  return matrices.length === 0 ? [] : [{ source: await readGlb(io, glb), matrices }];
}

function readPositions(featureTable, get, count) {
  const plain = get('POSITION', 'VEC3');
  if (plain) return plain;
  const quantized = get('POSITION_QUANTIZED', 'VEC3', 'UNSIGNED_SHORT');
  const [offset, scale] = ['QUANTIZED_VOLUME_OFFSET', 'QUANTIZED_VOLUME_SCALE'].map((what) =>
    featureTable.getData(what, 1, 'FLOAT', 'VEC3'),
  );
  if (!quantized || !offset || !scale) throw new ValidationError('model-3d.refused.noInstancePlaces');
  return Float64Array.from({ length: count * 3 }, (_, at) => offset[at % 3] + (quantized[at] / 65535) * scale[at % 3]);
}
