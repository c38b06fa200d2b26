import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getBounds, Logger, NodeIO, type Document } from '@gltf-transform/core';
import { EXTMeshoptCompression, EXTTextureWebP, KHRMeshQuantization } from '@gltf-transform/extensions';
import { dedup, meshopt, prune, weld } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import type { DemoModel, DemoModelFile } from '#plugins/model-3d';
import { projectRoot } from '../../project-root.ts';
import { createMesh } from '../geometry/plant-mesh.ts';
import type { Plant } from '../plant/types.ts';
import { renderAtlas } from '../render/atlas-image.ts';
import { createPlantDocument } from './plant-document.ts';

/** Raise it when the output for the same parts changes. */
const writerVersion = 2;
const signsWidth = 2048;

/** The equipment that each sign names. Signs have no tag of their own. */
const signLinks = (
  [
    ['sign-0001', 'V-1001'],
    ['sign-0002', 'V-1001'],
    ['sign-0003', 'V-1002'],
    ['sign-0004', 'V-1003'],
    ['sign-0019', 'SDV-1001'],
    ['sign-0020', 'XV-1011'],
    ['sign-0021', 'XV-1012'],
    ['sign-0022', 'XV-1013'],
    ['sign-0023', 'XV-1014'],
    ['sign-0024', 'PT-1000'],
    ['sign-0025', 'HV-1003A'],
    ['sign-0026', 'LV-1003'],
  ] as const
).map(([object, tag]) => ({ object, tag }));

/**
 * The model of the whole plant for the demo data of the 3D plugin. It is cached in `.generated/demo` under a digest of
 * the plant's description.
 */
export function createPlantModel(plant: Plant, folder = join(projectRoot, '.generated', 'demo')): DemoModel {
  return {
    code: 'HB-MODEL',
    name: plant.name,
    location: 'HB',
    links: signLinks,
    make: () => loadOrWriteModel(plant, folder),
  };
}

async function loadOrWriteModel(plant: Plant, folder: string): Promise<DemoModelFile> {
  const digest = createHash('sha256')
    .update(JSON.stringify([writerVersion, plant.parts]))
    .digest('hex')
    .slice(0, 16);
  const name = `plant-${digest}.glb`;
  const path = join(folder, name);
  const cachedDescription = await readFile(`${path}.json`, 'utf8').catch(() => undefined);
  const description =
    cachedDescription === undefined
      ? await writeModel(plant, path)
      : (JSON.parse(cachedDescription) as Pick<DemoModelFile, 'bounds' | 'report'>);
  return {
    file: { path, name: 'plant.glb', mediaType: 'model/gltf-binary', bytes: (await stat(path)).size },
    ...description,
  };
}

async function writeModel(plant: Plant, path: string): Promise<Pick<DemoModelFile, 'bounds' | 'report'>> {
  const { mesh, atlas } = createMesh(plant.parts);
  const signs = await sharp(renderAtlas(atlas)).resize(signsWidth).webp({ quality: 80 }).toBuffer();
  const document = createPlantDocument(plant.parts, mesh, new Uint8Array(signs));
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  document.createExtension(EXTTextureWebP).setRequired(true);
  await MeshoptEncoder.ready;
  const description = describeDocument(document);
  // 16 bits resolve half a millimetre over 35 metres, because users measure in the model too.
  await document.transform(
    dedup(),
    prune({ keepExtras: true }),
    weld(),
    meshopt({ encoder: MeshoptEncoder, level: 'medium', quantizePosition: 16, quantizeNormal: 10 }),
  );
  const io = new NodeIO()
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization, EXTTextureWebP])
    .registerDependencies({ 'meshopt.encoder': MeshoptEncoder });
  await mkdir(join(path, '..'), { recursive: true });
  // Writes atomically, because two processes may write at once.
  const temporaryFile = `${path}.${process.pid}`;
  await writeFile(temporaryFile, await io.writeBinary(document));
  await rename(temporaryFile, path);
  await writeFile(`${temporaryFile}.json`, JSON.stringify(description));
  await rename(`${temporaryFile}.json`, `${path}.json`);
  return description;
}

function describeDocument(document: Document): Pick<DemoModelFile, 'bounds' | 'report'> {
  const root = document.getRoot();
  const [scene] = root.listScenes();
  const nodes = root.listNodes().filter((node) => node.getMesh());
  const triangles = nodes.reduce(
    (sum, node) =>
      sum +
      (node.getMesh()?.listPrimitives() ?? []).reduce(
        (count, primitive) => count + (primitive.getIndices()?.getCount() ?? 0) / 3,
        0,
      ),
    0,
  );
  const { min, max } = getBounds(scene!);
  return {
    bounds: { min: [min[0], -max[2], min[1]], max: [max[0], -min[2], max[1]] },
    report: {
      objects: nodes.length,
      tagged: nodes.filter((node) => typeof node.getExtras()['tag'] === 'string').length,
      triangles,
      meshes: root.listMeshes().length,
    },
  };
}
