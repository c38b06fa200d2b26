// Whether a glTF brings all bytes that it speaks of.
import { Refusal } from './refusal.mjs';

const componentBytes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const meshopt = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

const listOf = (value) => (Array.isArray(value) ? value : []);
const numberOf = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

/** @param binary bytes of the binary chunk of a GLB; undefined if there is none */
export function checkComplete(json, binary) {
  const buffers = listOf(json.buffers).map((buffer, index) => {
    const expected = numberOf(buffer?.byteLength);
    const held = heldBytes(buffer, index === 0 ? binary : undefined, expected);
    if (held < expected) throw incomplete(expected, held);
    return expected;
  });
  const views = listOf(json.bufferViews).map((view) => {
    const end = numberOf(view?.byteOffset) + numberOf(view?.byteLength);
    const size = buffers[view?.buffer];
    if (size === undefined || end > size) throw incomplete(end, size ?? 0);
    return { view, bytes: numberOf(view.byteLength) };
  });
  for (const accessor of listOf(json.accessors)) {
    if (accessor?.bufferView === undefined) continue;
    const found = views[accessor.bufferView];
    if (found === undefined) throw incomplete(1, 0);
    // What a compressed view unpacks to is the decoder's to check.
    if (meshopt.some((name) => found.view.extensions?.[name])) continue;
    const end = endOf(accessor, found.view);
    if (end > found.bytes) throw incomplete(end, found.bytes);
  }
}

const incomplete = (expected, size) => new Refusal('model-3d.refused.gltfIncomplete', { expected, size });

function heldBytes(buffer, binary, expected) {
  if (typeof buffer?.uri === 'string') {
    const text = buffer.uri.slice(buffer.uri.indexOf(',') + 1);
    return /;base64,/i.test(buffer.uri.slice(0, 200))
      ? Buffer.byteLength(text, 'base64')
      : Buffer.byteLength(text, 'utf8');
  }
  // The fallback of compressed data is never there.
  if (meshopt.some((name) => buffer?.extensions?.[name])) return expected;
  return binary ?? 0;
}

function endOf({ byteOffset, componentType, count, type }, { byteStride }) {
  const size = (componentBytes[componentType] ?? 0) * (components[type] ?? 0);
  const entries = numberOf(count);
  return entries === 0 ? 0 : numberOf(byteOffset) + (entries - 1) * (numberOf(byteStride) || size) + size;
}
