import { Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';

type CylinderShape = {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
};

/** Builds a cylinder along y, with radius and height in metres. */
function buildCylinder(radius: number, height: number, sides: number): CylinderShape {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (let side = 0; side <= sides; side++) {
    const angle = ((side % sides) / sides) * Math.PI * 2;
    for (const y of [0, height]) {
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
      normals.push(Math.cos(angle), 0, Math.sin(angle));
    }
    if (side > 0) indices.push(side * 2 - 2, side * 2 - 1, side * 2, side * 2, side * 2 - 1, side * 2 + 1);
  }
  for (const [y, up] of [
    [0, -1],
    [height, 1],
  ] as const) {
    const middle = positions.length / 3;
    positions.push(0, y, 0);
    normals.push(0, up, 0);
    for (let side = 0; side < sides; side++) {
      const angle = (side / sides) * Math.PI * 2;
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
      normals.push(0, up, 0);
      const [a, b] = [middle + 1 + side, middle + 1 + ((side + 1) % sides)];
      indices.push(...(up > 0 ? [middle, b, a] : [middle, a, b]));
    }
  }
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    indices: new Uint32Array(indices),
  };
}

/**
 * Builds a GLB of pipes, posts and drums in a field (metres, y up), which is the same in each run. Each object has a
 * tag and its own copy of the shape, as exporters write it.
 */
export async function buildManyObjects(count: number): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  const materials = [
    [0.6, 0.6, 0.6],
    [0.2, 0.35, 0.6],
    [0.7, 0.5, 0.1],
    [0.3, 0.5, 0.35],
  ].map(([r = 0, g = 0, b = 0], index) =>
    document
      .createMaterial(`paint ${index}`)
      .setBaseColorFactor([r, g, b, 1])
      .setRoughnessFactor(0.8)
      .setMetallicFactor(0),
  );
  const shapes = [
    buildCylinder(0.11, 3.2, 26),
    buildCylinder(0.06, 2.4, 20),
    buildCylinder(0.45, 1.1, 40),
    buildCylinder(0.3, 0.2, 32),
  ];
  const columns = Math.ceil(Math.sqrt(count));
  for (let index = 0; index < count; index++) {
    const { positions, normals, indices } = shapes[index % shapes.length]!;
    const addAccessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
      document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setMaterial(materials[index % materials.length]!)
      .setIndices(addAccessor('SCALAR', indices))
      .setAttribute('POSITION', addAccessor('VEC3', positions))
      .setAttribute('NORMAL', addAccessor('VEC3', normals));
    const [column, row] = [index % columns, Math.floor(index / columns)];
    const jitter = (salt: number): number => ((Math.sin(index * 12.9898 + salt) * 43758.5453) % 1) * 0.25;
    const node = document
      .createNode(`OB-${String(index).padStart(5, '0')}`)
      .setMesh(document.createMesh().addPrimitive(primitive))
      .setExtras({ tag: `OB-${String(index).padStart(5, '0')}` });
    scene.addChild(node.setTranslation([column * 1.3 + jitter(1), (index % 7) * 0.4, -row * 1.3 + jitter(2)]));
  }
  await MeshoptDecoder.ready;
  return new NodeIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document);
}
