// Functions that the readers and writers of models in the conversion process share.
import { Logger, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { meshopt, textureCompress, uninstance, unpartition } from '@gltf-transform/functions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { checkComplete } from './gltf-complete.mjs';
import { ValidationError } from './validation-error.mjs';

export { ValidationError };

export const maxVertices = 40_000_000;
const maxNodes = 500_000;
const TRIANGLES = 4;
const tagNames = ['tag', 'Tag', 'TAG', 'tagNumber', 'tag_number', 'TagNumber'];
const keyNames = ['object', 'GlobalId', 'globalId', 'guid', 'id'];
/** Media types of the pictures that the browser can render. */
const supportedPictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp']);

export async function openIo() {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  const draco = await import('draco3dgltf').then(({ default: module }) => module.createDecoderModule());
  return new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({
      'meshopt.decoder': MeshoptDecoder,
      'meshopt.encoder': MeshoptEncoder,
      'draco3d.decoder': draco,
    });
}

/**
 * Checks completeness and size before anything is decompressed, because a compressed file may declare more vertices
 * than fit into memory.
 */
export function checkSizes(json) {
  const accessors = Array.isArray(json.accessors) ? json.accessors : [];
  const vertices = accessors.reduce((sum, accessor) => sum + (Number(accessor?.count) || 0), 0);
  if (vertices > maxVertices * 3)
    throw new ValidationError('model-3d.refused.tooManyValues', { count: vertices, most: maxVertices * 3 });
  if ((json.nodes?.length ?? 0) > maxNodes)
    throw new ValidationError('model-3d.refused.tooManyObjects', { count: json.nodes.length, most: maxNodes });
  const externalFile = [...(json.buffers ?? []), ...(json.images ?? [])].find(
    (entry) => entry.uri !== undefined && !String(entry.uri).startsWith('data:'),
  );
  if (externalFile)
    throw new ValidationError('model-3d.refused.furtherFile', { file: String(externalFile.uri).slice(0, 80) });
  if (!String(json.asset?.version ?? '').startsWith('2.'))
    throw new ValidationError('model-3d.refused.gltfVersion', {
      version: String(json.asset?.version ?? '?').slice(0, 20),
    });
}

export async function readGlb(io, bytes) {
  if (bytes.length < 20 || bytes.readUInt32LE(4) !== 2) throw new ValidationError('model-3d.refused.glbVersion');
  if (bytes.readUInt32LE(8) > bytes.length)
    throw new ValidationError('model-3d.refused.cutShort', { expected: bytes.readUInt32LE(8), size: bytes.length });
  const length = bytes.readUInt32LE(12);
  const json = parseGltf(bytes.toString('utf8', 20, 20 + length));
  checkSizes(json);
  checkComplete(json, readBinaryLength(bytes, 20 + length));
  return io.readBinary(bytes);
}

/** Parses the JSON of a glTF. */
export function parseGltf(text) {
  try {
    const json = JSON.parse(text);
    if (json && typeof json === 'object') return json;
  } catch {
    // Handled below: text that is not JSON is refused like JSON that is not an object.
  }
  throw new ValidationError('model-3d.refused.gltfDescription');
}

/** Returns the length of the binary chunk at an offset, if there is one. */
function readBinaryLength(bytes, start) {
  if (start + 8 > bytes.length) return undefined;
  const length = bytes.readUInt32LE(start);
  if (start + 8 + length > bytes.length)
    throw new ValidationError('model-3d.refused.cutShort', { expected: start + 8 + length, size: bytes.length });
  return length;
}

/** Returns the extra properties of a node or mesh, for the property panel and for tags. */
export const readExtras = (property) => {
  const extras = property?.getExtras();
  return extras && typeof extras === 'object' && !Array.isArray(extras) ? extras : {};
};
const findFirst = (extras, names) =>
  names
    .map((name) => extras[name])
    .find((value) => (typeof value === 'string' && value.trim() !== '') || typeof value === 'number');
export const findTag = (extras) => findFirst(extras, tagNames);
export const findKey = (extras) => findFirst(extras, keyNames);

/** Removes content that the viewer does not show, and counts it. */
export function removeUnsupported(document) {
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  const root = document.getRoot();
  const animations = root.listAnimations();
  for (const animation of animations) animation.dispose();
  for (const skin of root.listSkins()) skin.dispose();
  for (const camera of root.listCameras()) camera.dispose();
  let lines = 0;
  for (const mesh of root.listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) primitive.removeTarget(target);
      // Strips and fans are rare, and the engine renders them unchanged.
      if (primitive.getMode() >= TRIANGLES && primitive.getAttribute('POSITION')) continue;
      lines += 1;
      primitive.dispose();
    }
  }
  const textures = root.listTextures().filter((texture) => !supportedPictureTypes.has(texture.getMimeType()));
  for (const texture of textures) texture.dispose();
  return { animationsDropped: animations.length, linesDropped: lines, texturesDropped: textures.length };
}

const instancing = 'EXT_mesh_gpu_instancing';

/**
 * Gives each instance of a mesh its own node below that of the mesh, so that instances are counted, tiled and rendered
 * like other objects.
 */
export async function expandInstances(document) {
  const batches = document
    .getRoot()
    .listNodes()
    .flatMap((node) => node.getExtension(instancing) ?? []);
  if (batches.length === 0) return;
  const count = batches.reduce((sum, batch) => sum + (batch.listAttributes()[0]?.getCount() ?? 0), 0);
  if (count > maxNodes) throw new ValidationError('model-3d.refused.tooManyInstances', { count, most: maxNodes });
  await document.transform(uninstance());
}

export const isTriangles = (primitive) => primitive.getMode() === TRIANGLES;

/** Removes extensions, so that they are not written. */
export function disposeExtensions(document, names) {
  for (const extension of document.getRoot().listExtensionsUsed())
    if (names.includes(extension.extensionName)) extension.dispose();
}

export const countMeshTriangles = (mesh) =>
  mesh
    ?.listPrimitives()
    .reduce(
      (sum, primitive) =>
        sum + Math.floor((primitive.getIndices() ?? primitive.getAttribute('POSITION')).getCount() / 3),
      0,
    ) ?? 0;

export const countTriangles = (document) =>
  document
    .getRoot()
    .listNodes()
    .reduce((sum, node) => sum + countMeshTriangles(node.getMesh()), 0);

export const compressPictures = () =>
  textureCompress({ encoder: sharp, targetFormat: 'webp', resize: [2048, 2048], quality: 82 });

/** 16 bits are half a millimetre over 35 metres. Measurements in the model must match the file. */
export const compressShapes = () => [
  meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 16, quantizeNormal: 10 }),
  unpartition(),
];

/** Converts a box from glTF (y up) to the site frame (z up): (x, y, z) becomes (x, -z, y). */
export const toSite = ({ min, max }) => ({ min: [min[0], -max[2], min[1]], max: [max[0], -min[2], max[1]] });
