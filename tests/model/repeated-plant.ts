import { readFile } from 'node:fs/promises';
import { NodeIO, type Mesh, type Node } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { dequantize } from '@gltf-transform/functions';
import { MeshoptDecoder } from 'meshoptimizer';
import { createPlantModel } from '../../cli/demo/model/plant-model.ts';
import { plant } from '../../cli/demo/plant/plant.ts';

/** Metres between two plants. */
const apart = { x: 110, z: 70 } as const;

/**
 * Repeats the demo plant side by side in one file, with distinct shapes as if they were different plants. Raw GLB:
 * floats, uncompressed.
 */
export async function repeatedPlant(count: number): Promise<Uint8Array> {
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
  const across = Math.ceil(Math.sqrt(count));
  for (let index = 1; index < count; index++) {
    const meshes = new Map<Mesh, Mesh>();
    const copyMesh = (mesh: Mesh): Mesh => {
      const own = meshes.get(mesh) ?? mesh.clone();
      meshes.set(mesh, own);
      return own;
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
    // Each copy is 0.1 % larger than the previous one, since equal shapes would be shared.
    const turned = document
      .createNode(`Plant ${index + 1}`)
      .setTranslation([(index % across) * apart.x, 0, -Math.floor(index / across) * apart.z]);
    for (const node of originals) turned.addChild(copyNode(node));
    for (const own of meshes.values()) {
      const primitives = own.listPrimitives();
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
        own.removePrimitive(primitive).addPrimitive(copy);
      }
    }
    scene.addChild(turned);
  }
  for (const extension of root.listExtensionsUsed())
    if (['EXT_meshopt_compression', 'KHR_mesh_quantization'].includes(extension.extensionName)) extension.dispose();
  return io.writeBinary(document);
}
