// Worker thread that reads the triangles of stored GLBs.
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { Matrix4, Vector3 } from 'three';
import { isTriangles, openIo } from '../jobs/model-io.mjs';

/** A triangle takes 72 bytes. */
const trianglesPerBatch = 100_000;
const gzipMagic = 0x8b1f;

const io = await openIo();
let batches = [].values();

const handlers = {
  open: async ({ bytes, matrix }) => {
    const document = await readShapes(bytes);
    batches = readBatches(document, new Matrix4().fromArray(matrix));
  },
  next: () => batches.next().value,
};

/** Reads a GLB without its materials and pictures, some of which are in other files. */
async function readShapes(fileBytes) {
  const bytes = fileBytes[0] + 256 * fileBytes[1] === gzipMagic ? gunzipSync(fileBytes) : fileBytes;
  const file = await io.binaryToJSON(bytes);
  for (const mesh of file.json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const name of ['materials', 'textures', 'images', 'samplers']) delete file.json[name];
  return io.readJSON(file);
}

function* readBatches(document, matrix) {
  let batch = new Float64Array(9 * trianglesPerBatch);
  let length = 0;
  const corner = new Vector3();
  for (const node of document.getRoot().listNodes()) {
    const toSite = matrix.clone().multiply(new Matrix4().fromArray(node.getWorldMatrix()));
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
      if (!isTriangles(primitive)) continue;
      const positions = primitive.getAttribute('POSITION');
      const indices = primitive.getIndices();
      const count = Math.floor((indices ?? positions).getCount() / 3) * 3;
      for (let cornerIndex = 0; cornerIndex < count; cornerIndex++) {
        corner
          .fromArray(positions.getElement(indices ? indices.getScalar(cornerIndex) : cornerIndex, []))
          .applyMatrix4(toSite);
        corner.toArray(batch, length);
        length += 3;
        if (length < batch.length) continue;
        yield batch;
        batch = new Float64Array(9 * trianglesPerBatch);
        length = 0;
      }
    }
  }
  if (length > 0) yield batch.slice(0, length);
}

const handleMessage = async ({ step, ...input }) => {
  const value = await handlers[step](input);
  parentPort.postMessage(value, value ? [value.buffer] : []);
};
// An unhandled rejection ends the thread, and its owner receives the error.
parentPort.on('message', (message) => void handleMessage(message));
