import { readFile } from 'node:fs/promises';
import { NodeIO, type Mesh, type Node } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { dequantize } from '@gltf-transform/functions';
import { MeshoptDecoder } from 'meshoptimizer';
import { createPlantModel } from '../../cli/demo/model/plant-model.ts';
import { plant } from '../../cli/demo/plant/plant.ts';

/** Distances between two plants. */
const spacingMetres = { x: 110, z: 70 } as const;

/**
 * Writes copies of the demo plant to one GLB, side by side and uncompressed. The shapes of each copy differ, as if they
 * were different plants.
 */
export async function buildRepeatedPlant(count: number): Promise<Uint8Array> {
  await MeshoptDecoder.ready;
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  const { file } = await createPlantModel(plant).make();
  const document = await io.readBinary(new Uint8Array(await readFile(file.path)));
  await document.transform(dequantize());
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0]!;
  const originals = scene.listChildren();
  const columns = Math.ceil(Math.sqrt(count));
  for (let index = 1; index < count; index++) {
    const meshes = new Map<Mesh, Mesh>();
    const copyMesh = (mesh: Mesh): Mesh => {
      const copy = meshes.get(mesh) ?? mesh.clone();
      meshes.set(mesh, copy);
      return copy;
    };
    const copyNode = (node: Node): Node => {
      const { tag, object } = node.getExtras();
      const copy = document
        .createNode(node.getName())
        .setTranslation(node.getTranslation())
        .setRotation(node.getRotation())
        .setScale(node.getScale())
        .setExtras({
          ...node.getExtras(),
          ...(tag === undefined ? {} : { tag: `${String(tag)}-${index}` }),
          ...(object === undefined ? {} : { object: `${String(object)}-${index}` }),
        });
      const mesh = node.getMesh();
      if (mesh) copy.setMesh(copyMesh(mesh));
      for (const child of node.listChildren()) copy.addChild(copyNode(child));
      return copy;
    };
    const plantNode = document
      .createNode(`Plant ${index + 1}`)
      .setTranslation([(index % columns) * spacingMetres.x, 0, -Math.floor(index / columns) * spacingMetres.z]);
    for (const node of originals) plantNode.addChild(copyNode(node));
    // Each copy is 0.1 % larger than the previous one, because the import merges equal shapes.
    for (const mesh of meshes.values()) {
      const primitives = mesh.listPrimitives();
      for (const primitive of primitives) {
        const positions = primitive.getAttribute('POSITION')!;
        const copy = primitive
          .clone()
          .setAttribute(
            'POSITION',
            positions
              .clone()
              .setArray(Float32Array.from(positions.getArray() as Float32Array, (value) => value * (1 + index / 1000))),
          );
        mesh.removePrimitive(primitive).addPrimitive(copy);
      }
    }
    scene.addChild(plantNode);
  }
  for (const extension of root.listExtensionsUsed())
    if (['EXT_meshopt_compression', 'KHR_mesh_quantization'].includes(extension.extensionName)) extension.dispose();
  return io.writeBinary(document);
}
