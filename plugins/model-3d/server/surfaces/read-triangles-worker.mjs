// Reads the triangles of stored GLBs, in a thread of its own.
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { Matrix4, Vector3 } from 'three';
import { isTriangles, openIo } from '../jobs/model-io.mjs';

/** Triangles of one part, 72 bytes each. */
const trianglesPerPart = 100_000;
const gzipMagic = 0x8b1f;

const io = await openIo();
let parts = [].values();

const steps = {
  open: async ({ bytes, matrix }) => {
    const document = await readShapes(bytes);
    parts = readParts(document, new Matrix4().fromArray(matrix));
  },
  next: () => parts.next().value,
};

/** Reads a GLB without its materials and pictures, some of which are in other files. */
async function readShapes(fileBytes) {
  const bytes = fileBytes[0] + 256 * fileBytes[1] === gzipMagic ? gunzipSync(fileBytes) : fileBytes;
  const file = await io.binaryToJSON(bytes);
  for (const mesh of file.json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const name of ['materials', 'textures', 'images', 'samplers']) delete file.json[name];
  return io.readJSON(file);
}

function* readParts(document, matrix) {
  let part = new Float64Array(9 * trianglesPerPart);
  let length = 0;
  const corner = new Vector3();
  for (const node of document.getRoot().listNodes()) {
    const toSite = matrix.clone().multiply(new Matrix4().fromArray(node.getWorldMatrix()));
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      if (!isTriangles(primitive)) continue;
      const positions = primitive.getAttribute('POSITION');
      const indices = primitive.getIndices();
      const count = Math.floor((indices ?? positions).getCount() / 3) * 3;
      for (let k = 0; k < count; k++) {
        corner.fromArray(positions.getElement(indices ? indices.getScalar(k) : k, [])).applyMatrix4(toSite);
        corner.toArray(part, length);
        length += 3;
        if (length < part.length) continue;
        yield part;
        part = new Float64Array(9 * trianglesPerPart);
        length = 0;
      }
    }
  }
  if (length > 0) yield part.slice(0, length);
}

const answer = async ({ step, ...input }) => {
  const value = await steps[step](input);
  parentPort.postMessage(value, value ? [value.buffer] : []);
};
// A rejection ends the thread, which its owner notices.
parentPort.on('message', (message) => void answer(message));
