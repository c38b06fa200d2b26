// Converts one model in a process of its own. Plain JavaScript, because Node runs it as it lies here (from source) or beside the bundled server.
// Arguments: the file, and where the GLB goes. Says `{ progress }`, then `{ ok }` or `{ refused: sentence }` to its parent.
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { getBounds, Logger, NodeIO, PropertyType } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { dedup, meshopt, prune, textureCompress, unpartition, weld } from '@gltf-transform/functions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';

const mostVertices = 40_000_000;
const mostNodes = 500_000;
const TRIANGLES = 4;
const tagNames = ['tag', 'Tag', 'TAG', 'tagNumber', 'tag_number', 'TagNumber'];
const keyNames = ['object', 'GlobalId', 'globalId', 'guid', 'id'];
/** What the browser can draw from. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/webp']);

class Refusal extends Error {}

async function readDocument(io, file) {
  const head = await firstBytes(file);
  if (head.toString('latin1', 0, 4) === 'glTF') return { source: 'GLB', document: await readGlb(io, await readFile(file)) };
  const text = head.toString('utf8').trimStart();
  if (text.startsWith('ISO-10303-21')) {
    const { readIfc } = await import('./read-ifc.mjs');
    return { source: 'IFC', document: await readIfc(await readFile(file), mostVertices) };
  }
  if (text.startsWith('{')) return { source: 'GLTF', document: await readGltf(io, await readFile(file, 'utf8')) };
  throw new Refusal('This is no model that can be read here. Please choose a GLB, a self-contained glTF, or an IFC file.');
}

async function firstBytes(file) {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Looked at before anything is unpacked: a compressed file may name more vertices than any memory holds. */
function checkSizes(json) {
  const accessors = Array.isArray(json.accessors) ? json.accessors : [];
  const vertices = accessors.reduce((sum, accessor) => sum + (Number(accessor?.count) || 0), 0);
  if (vertices > mostVertices * 3) throw new Refusal(`The model is too large: it names ${vertices} values, and at most ${mostVertices * 3} can be converted. Please export it in parts.`);
  if ((json.nodes?.length ?? 0) > mostNodes) throw new Refusal(`The model has ${json.nodes.length} objects; at most ${mostNodes} can be converted. Please export it in parts.`);
  if (!String(json.asset?.version ?? '').startsWith('2.')) throw new Refusal(`The model is glTF ${json.asset?.version ?? 'without a version'}; version 2 is needed. Please export it anew.`);
}

async function readGlb(io, bytes) {
  if (bytes.length < 20 || bytes.readUInt32LE(4) !== 2) throw new Refusal('The GLB is not of version 2. Please export it anew.');
  if (bytes.readUInt32LE(8) > bytes.length) throw new Refusal(`The file is cut short: it says that it has ${bytes.readUInt32LE(8)} bytes, and has ${bytes.length}. Please upload it again.`);
  const length = bytes.readUInt32LE(12);
  checkSizes(JSON.parse(bytes.toString('utf8', 20, 20 + length)));
  return io.readBinary(bytes);
}

async function readGltf(io, text) {
  const json = JSON.parse(text);
  checkSizes(json);
  const outside = [...(json.buffers ?? []), ...(json.images ?? [])].find((part) => part.uri !== undefined && !String(part.uri).startsWith('data:'));
  if (outside) throw new Refusal(`The glTF needs a further file ('${String(outside.uri).slice(0, 80)}'). Please export it as GLB, which is one file.`);
  return io.readJSON({ json, resources: {} });
}

/** Words and numbers of a node, for the panel of properties and for tags. */
const extrasOf = (property) => {
  const extras = property?.getExtras();
  return extras && typeof extras === 'object' && !Array.isArray(extras) ? extras : {};
};
const firstOf = (extras, names) => names.map((name) => extras[name]).find((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number');

/** Gives each object a key that stays from version to version, and lifts tags from shapes to the nodes that show them, since equal shapes are shared from here on. */
function nameObjects(document) {
  const root = document.getRoot();
  const keys = new Map();
  const tags = new Map();
  let objects = 0;
  for (const node of root.listNodes()) {
    const extras = { ...extrasOf(node.getMesh()), ...extrasOf(node) };
    const tag = firstOf(extras, tagNames);
    if (!node.getMesh() && tag === undefined && node.getName() === '') continue;
    if (node.getMesh()) objects += 1;
    const wanted = String(firstOf(extras, keyNames) ?? tag ?? (node.getName() || 'object')).slice(0, 280);
    const used = keys.get(wanted) ?? 0;
    keys.set(wanted, used + 1);
    if (tag !== undefined) tags.set(String(tag), (tags.get(String(tag)) ?? 0) + 1);
    node.setExtras({ ...extras, object: used === 0 ? wanted : `${wanted}#${used + 1}`, ...(tag === undefined ? {} : { tag: String(tag) }) });
  }
  return { objects, tagged: [...tags.values()].reduce((sum, count) => sum + count, 0), tagsRepeated: [...tags.values()].filter((count) => count > 1).length };
}

/** Takes out what a still plant cannot show, and says how much of it there was. */
function leaveOut(document) {
  const root = document.getRoot();
  const animations = root.listAnimations();
  for (const animation of animations) animation.dispose();
  for (const skin of root.listSkins()) skin.dispose();
  for (const camera of root.listCameras()) camera.dispose();
  let lines = 0;
  for (const mesh of root.listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) primitive.removeTarget(target);
      if (primitive.getMode() === TRIANGLES && primitive.getAttribute('POSITION')) continue;
      // Strips and fans are rare and drawn by the engine as they are.
      if (primitive.getMode() > TRIANGLES && primitive.getAttribute('POSITION')) continue;
      lines += 1;
      primitive.dispose();
    }
  }
  const textures = root.listTextures().filter((texture) => !pictures.has(texture.getMimeType()));
  for (const texture of textures) texture.dispose();
  return { animationsDropped: animations.length, linesDropped: lines, texturesDropped: textures.length };
}

function countTriangles(document) {
  let triangles = 0;
  for (const node of document.getRoot().listNodes()) {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) triangles += Math.floor((primitive.getIndices() ?? primitive.getAttribute('POSITION')).getCount() / 3);
  }
  return triangles;
}

/** glTF is y up, the site z up: (x, y, z) becomes (x, -z, y). */
function siteBounds(document) {
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  const { min, max } = getBounds(scene);
  return { min: [min[0], -max[2], min[1]], max: [max[0], -min[2], max[1]] };
}

async function convert(input, output) {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  const say = (progress) => process.send?.({ progress });
  const draco = await import('draco3dgltf').then(({ default: module }) => module.createDecoderModule());
  const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS).registerDependencies({ 'meshopt.decoder': MeshoptDecoder, 'meshopt.encoder': MeshoptEncoder, 'draco3d.decoder': draco });
  const { source, document } = await readDocument(io, input);
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  say(0.3);
  const root = document.getRoot();
  const [scene] = root.listScenes();
  if (!scene) throw new Refusal('The model has no scene: there is nothing to show in it.');
  const notes = leaveOut(document);
  const meshesBefore = root.listMeshes().length;
  const { objects, tagged, tagsRepeated } = nameObjects(document);
  for (const extension of root.listExtensionsUsed()) if (['KHR_draco_mesh_compression', 'KHR_texture_basisu', 'KHR_animation_pointer'].includes(extension.extensionName)) extension.dispose();
  await document.transform(
    dedup({ propertyTypes: [PropertyType.ACCESSOR, PropertyType.MESH, PropertyType.TEXTURE, PropertyType.MATERIAL], keepUniqueNames: false }),
    prune({ keepExtras: true, keepAttributes: false, keepLeaves: false }),
    weld(),
  );
  say(0.5);
  const triangles = countTriangles(document);
  if (triangles === 0) throw new Refusal('The model has no surface: there is nothing to show in it.');
  const bounds = siteBounds(document);
  if (![...bounds.min, ...bounds.max].every(Number.isFinite)) throw new Refusal('The model has points that lie nowhere (not a number). Please export it anew.');
  await document.transform(
    textureCompress({ encoder: sharp, targetFormat: 'webp', resize: [2048, 2048], quality: 82 }),
    // 16 bits: half a millimetre over 35 metres. What is measured in the model must be what the file says.
    meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 16, quantizeNormal: 10 }),
    unpartition(),
  );
  say(0.8);
  const glb = await io.writeBinary(document);
  await writeFile(output, glb);
  const counted = Object.entries({ ...notes, tagsRepeated }).filter(([, count]) => count > 0);
  const { size } = await stat(input);
  return {
    bounds,
    report: { source, bytesBefore: size, bytesAfter: glb.byteLength, meshesBefore, meshesAfter: root.listMeshes().length, objects, tagged, triangles, notes: counted.map(([code, count]) => ({ code, count })) },
  };
}

const [input, output] = process.argv.slice(2);
const answer = await convert(input, output).then(
  (ok) => ({ ok }),
  (error) => ({ refused: error instanceof Refusal ? error.message : `The model could not be read: ${String(error?.message ?? error).slice(0, 300)}` }),
);
process.send?.(answer, () => process.disconnect());
