// Converts one model in a child process. It is plain JavaScript, because Node runs it unbuilt. Its arguments are the
// input file, the GLB, the folder for tiles and the options of `convertModel` as JSON. It sends `{ progress }`
// repeatedly, and finally `{ ok }`, `{ refusal, cause }` or `{ diskFull }`.
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { getBounds, PropertyType } from '@gltf-transform/core';
import { dedup, prune, weld } from '@gltf-transform/functions';
import {
  checkSizes,
  countTriangles,
  readExtras,
  disposeExtensions,
  findKey,
  removeUnsupported,
  maxVertices,
  openIo,
  parseGltf,
  readGlb,
  ValidationError,
  compressPictures,
  compressShapes,
  expandInstances,
  findTag,
  toSite,
} from './model-io.mjs';
import { flattenExtras } from './flatten-extras.mjs';
import { checkComplete } from './gltf-complete.mjs';
import { decodeKtx2 } from './read-ktx2.mjs';
import { shouldBeTiled, splitModel } from './split-model.mjs';
import { TileWriter } from './tile-writer.mjs';

/** Reads the model with its unit and the number of its elements. */
async function readDocument(io, file, firstBytes, metres) {
  if (firstBytes.toString('latin1', 0, 4) === 'glTF') {
    const document = await readGlb(io, await readFile(file));
    return { source: 'GLB', ...applyUnit(document, metres) };
  }
  const text = firstBytes.toString('utf8').trimStart();
  if (text.startsWith('ISO-10303-21')) {
    const { readIfc } = await import('./read-ifc.mjs');
    const bytes = await readFile(file);
    const ifcContent = await readIfc(bytes, maxVertices, metres).catch((error) => {
      // Errors of the library expose its internals.
      throw error instanceof ValidationError
        ? error
        : new ValidationError('model-3d.refused.ifcUnreadable', {}, undefined, { cause: error });
    });
    return { source: 'IFC', ...ifcContent };
  }
  if (text.startsWith('{'))
    return { source: 'GLTF', ...applyUnit(await readGltf(io, await readFile(file, 'utf8')), metres) };
  throw new ValidationError('model-3d.refused.notModel');
}

const unstatedUnit = { metres: null, name: null, verticalName: null, origin: null };

/** glTF is in metres by definition, but a person can choose another unit. */
function applyUnit(document, metres) {
  const elements = { declared: countNodesWithMesh(document), read: 0 };
  const roots = new Set(
    document
      .getRoot()
      .listScenes()
      .flatMap((scene) => scene.listChildren()),
  );
  if (metres !== undefined && metres !== 1)
    for (const node of roots) {
      node.setTranslation(node.getTranslation().map((value) => value * metres));
      node.setScale(node.getScale().map((value) => value * metres));
    }
  return { document, elements, system: unstatedUnit, missing: 0 };
}

const countNodesWithMesh = (document) =>
  document
    .getRoot()
    .listNodes()
    .filter((node) => node.getMesh()?.listPrimitives().length > 0).length;

async function readFirstBytes(file) {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readGltf(io, text) {
  const json = parseGltf(text);
  if (json.root && json.asset) throw new ValidationError('model-3d.refused.tilesetAlone');
  checkSizes(json);
  checkComplete(json, undefined);
  return io.readJSON({ json, resources: {} });
}

/**
 * Gives each object a key that is stable across versions, flattens its attributes, and moves tags from meshes to their
 * nodes, because equal meshes are merged from here on.
 */
function nameObjects(document) {
  const root = document.getRoot();
  const keyUseCounts = new Map();
  const objectCountByTag = new Map();
  let objects = 0;
  for (const node of root.listNodes()) {
    const extras = { ...readExtras(node.getMesh()), ...readExtras(node) };
    const tag = findTag(extras);
    if (!node.getMesh() && tag === undefined && node.getName() === '') continue;
    if (node.getMesh()) objects += 1;
    const baseKey = String(findKey(extras) ?? tag ?? (node.getName() || 'object')).slice(0, 280);
    const useCount = keyUseCounts.get(baseKey) ?? 0;
    keyUseCounts.set(baseKey, useCount + 1);
    if (tag !== undefined) objectCountByTag.set(String(tag), (objectCountByTag.get(String(tag)) ?? 0) + 1);
    node.setExtras({
      ...flattenExtras(extras),
      object: useCount === 0 ? baseKey : `${baseKey}#${useCount + 1}`,
      ...(tag === undefined ? {} : { tag: String(tag) }),
    });
  }
  return {
    objects,
    tagged: [...objectCountByTag.values()].reduce((sum, count) => sum + count, 0),
    tagsRepeated: [...objectCountByTag.values()].filter((count) => count > 1).length,
  };
}

const toNotes = (counts) => Object.entries(counts).flatMap(([code, count]) => (count > 0 ? [{ code, count }] : []));

async function convert(input, output, folder, { tilingThresholds, metres }) {
  const reportProgress = (progress) => process.send?.({ progress });
  const io = await openIo();
  const { size } = await stat(input);
  const firstBytes = await readFirstBytes(input);
  if (firstBytes.toString('latin1', 0, 4) === 'PK\u0003\u0004') {
    if (metres !== undefined && metres !== 1) throw new ValidationError('model-3d.refused.tilesUnit');
    const { readTileset } = await import('./read-tileset.mjs');
    const writer = new TileWriter(folder, io);
    const { bounds, report } = await readTileset(input, io, writer, (share) => reportProgress(share * 0.9));
    const { notes, ...counts } = report;
    return {
      bounds,
      tiles: writer.tiles,
      system: unstatedUnit,
      report: { source: 'TILES', bytesBefore: size, bytesAfter: writer.bytes, ...counts, notes: toNotes(notes) },
    };
  }
  const { source, document, elements, system, missing } = await readDocument(io, input, firstBytes, metres);
  reportProgress(0.3);
  const root = document.getRoot();
  const [scene] = root.listScenes();
  if (!scene) throw new ValidationError('model-3d.refused.noScene');
  await decodeKtx2(document);
  const notes = removeUnsupported(document);
  if (source !== 'IFC') elements.read = countNodesWithMesh(document);
  const unreadCount = source === 'IFC' ? elements.declared - elements.read : 0;
  const meshesBefore = root.listMeshes().length;
  const { objects, tagged, tagsRepeated } = nameObjects(document);
  // Keys are assigned first, because instances are meshes of one object.
  await expandInstances(document);
  disposeExtensions(document, ['KHR_draco_mesh_compression', 'KHR_texture_basisu', 'KHR_animation_pointer']);
  await document.transform(
    dedup({
      propertyTypes: [PropertyType.ACCESSOR, PropertyType.MESH, PropertyType.TEXTURE, PropertyType.MATERIAL],
      keepUniqueNames: false,
    }),
    prune({ keepExtras: true, keepAttributes: false, keepLeaves: false }),
    weld(),
  );
  reportProgress(0.5);
  const triangles = countTriangles(document);
  if (triangles === 0) throw new ValidationError('model-3d.refused.noSurface');
  const bounds = toSite(getBounds(root.getDefaultScene() ?? scene));
  if (![...bounds.min, ...bounds.max].every(Number.isFinite)) throw new ValidationError('model-3d.refused.notNumbers');
  await document.transform(compressPictures());
  const report = (bytesAfter) => ({
    source,
    bytesBefore: size,
    bytesAfter,
    meshesBefore,
    meshesAfter: root.listMeshes().length,
    objects,
    tagged,
    triangles,
    elements,
    notes: toNotes({ ...notes, tagsRepeated, elementsUnread: unreadCount, referencesMissing: missing }),
  });
  if (shouldBeTiled(document, triangles, tilingThresholds)) {
    const writer = new TileWriter(folder, io);
    await splitModel(document, writer, (share) => reportProgress(0.6 + share * 0.4));
    return { bounds, system, tiles: writer.tiles, report: report(writer.bytes) };
  }
  await document.transform(...compressShapes());
  reportProgress(0.8);
  const glb = await io.writeBinary(document);
  await writeFile(output, glb);
  return { bounds, system, tiles: 0, report: report(glb.byteLength) };
}

const [input, output, folder, options] = process.argv.slice(2);
const answer = await convert(input, output, folder, options ? JSON.parse(options) : {}).then(
  (ok) => ({ ok }),
  (error) => {
    if (['ENOSPC', 'EDQUOT'].includes(error?.code)) return { diskFull: true };
    const isValidationError = error instanceof ValidationError;
    return {
      refusal: (isValidationError ? error : new ValidationError('model-3d.refused.unreadable')).userMessage,
      cause: String((isValidationError ? error.cause : error) ?? '').slice(0, 400),
    };
  },
);
process.send?.(answer, () => process.disconnect());
