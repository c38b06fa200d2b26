// Checks that a glTF contains all bytes that it references.
import { ValidationError } from './validation-error.mjs';

const componentBytes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const componentCounts = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const meshoptExtensions = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

const toList = (value) => (Array.isArray(value) ? value : []);
const toCount = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

/** @param binaryLength length of the binary chunk of a GLB in bytes, if there is one */
export function checkComplete(json, binaryLength) {
  const buffers = toList(json.buffers).map((buffer, index) => {
    const expected = toCount(buffer?.byteLength);
    const availableBytes = countAvailableBytes(buffer, index === 0 ? binaryLength : undefined, expected);
    if (availableBytes < expected) throw createIncompleteError(expected, availableBytes);
    return expected;
  });
  const views = toList(json.bufferViews).map((view) => {
    const end = toCount(view?.byteOffset) + toCount(view?.byteLength);
    const size = buffers[view?.buffer];
    if (size === undefined || end > size) throw createIncompleteError(end, size ?? 0);
    return { view, bytes: toCount(view.byteLength) };
  });
  for (const accessor of toList(json.accessors)) {
    if (accessor?.bufferView === undefined) continue;
    const viewEntry = views[accessor.bufferView];
    if (viewEntry === undefined) throw createIncompleteError(1, 0);
    // The decoder checks the size of decompressed data.
    if (meshoptExtensions.some((name) => viewEntry.view.extensions?.[name])) continue;
    const end = computeEnd(accessor, viewEntry.view);
    if (end > viewEntry.bytes) throw createIncompleteError(end, viewEntry.bytes);
  }
}

const createIncompleteError = (expected, actual) =>
  new ValidationError('model-3d.refused.gltfIncomplete', { expected, size: actual });

function countAvailableBytes(buffer, binaryLength, expected) {
  if (typeof buffer?.uri === 'string') {
    const text = buffer.uri.slice(buffer.uri.indexOf(',') + 1);
    return /;base64,/i.test(buffer.uri.slice(0, 200))
      ? Buffer.byteLength(text, 'base64')
      : Buffer.byteLength(text, 'utf8');
  }
  // The fallback buffer of compressed data has a length, but no content.
  if (meshoptExtensions.some((name) => buffer?.extensions?.[name])) return expected;
  return binaryLength ?? 0;
}

function computeEnd({ byteOffset, componentType, count, type }, { byteStride }) {
  const size = (componentBytes[componentType] ?? 0) * (componentCounts[type] ?? 0);
  const entries = toCount(count);
  return entries === 0 ? 0 : toCount(byteOffset) + (entries - 1) * (toCount(byteStride) || size) + size;
}
