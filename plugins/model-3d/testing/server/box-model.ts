import { Document, NodeIO, type Mesh } from '@gltf-transform/core';

/** Returns a function that creates a cube with edges of 1 m between (0, 0, 0) and (1, 1, 1). */
export function createBoxFactory(document: Document): () => Mesh {
  const buffer = document.createBuffer();
  const material = document.createMaterial('grey').setBaseColorFactor([0.5, 0.5, 0.5, 1]);
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
  const faces = new Uint16Array([
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5,
  ]);
  const addAccessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer);
  return () =>
    document
      .createMesh()
      .addPrimitive(
        document
          .createPrimitive()
          .setMaterial(material)
          .setIndices(addAccessor('SCALAR', faces))
          .setAttribute('POSITION', addAccessor('VEC3', corners))
          .setAttribute('NORMAL', addAccessor('VEC3', corners)),
      );
}

/** Builds a row of boxes, each with its own tag and its own copy of the same mesh, as CAD programs export them. */
export function buildBoxes(count: number): Document {
  const document = new Document();
  const createBox = createBoxFactory(document);
  const scene = document.createScene();
  for (let index = 0; index < count; index++)
    scene.addChild(
      document
        .createNode(`Box ${index + 1}`)
        .setMesh(createBox().setExtras({ tag: `V-${index + 1}` }))
        .setTranslation([index * 2, 0, -3]),
    );
  return document;
}

/** Returns the document of `buildBoxes` as the bytes of a GLB. */
export const buildBoxesGlb = (count: number): Promise<Uint8Array> => new NodeIO().writeBinary(buildBoxes(count));
