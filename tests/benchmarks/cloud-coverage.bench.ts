import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { toDirection, plus, times, type Point3 } from '#core';
import type { CameraView } from '#plugins/tour';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { createRandom } from '../../cli/demo/plant/vector.ts';
import { scanPoints } from '../../cli/demo/scan/scan-points.ts';
import { createCloudCamera } from '../../plugins/scan/web/viewer/cloud/cloud-camera.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import { atMost, type Bench } from './bench.ts';
import type { BenchScene } from './cloud/cloud-page.ts';
import { buildPages } from './cloud/pages.ts';
import { runPage, size } from './cloud/run-page.ts';
import { writePotree } from './cloud/write-potree.ts';
import { ThrottledServer, type ServedFile } from './panorama/throttled-server.ts';

const contenders = ['own', 'potree'] as const;
const budget = 1_000_000;
const seed = 20_261_124;
/** A colour that no point of the demo plant has. */
const background = [1, 0, 1] as const;
/** The plant is compared at the centre of every n-th pixel of a row and a column. */
const pixelStep = 4;
/** Relative to the project. */
const pictureFolder = '.generated/benchmarks/cloud-coverage';
const distances = { min: 1, max: 5 } as const;

/**
 * Compares with potree-core and its eye-dome lighting how far one can see through surfaces between the points. Both
 * show the same points from the same eye positions. Writes the pictures to `pictureFolder`.
 */
const bench: Bench = async ({ root, sharedFolder, chromium, chooseCount, log }) => {
  const folder = await mkdtemp(path.join(sharedFolder, 'cloud-'));
  const tiles = new Map<string, Buffer>();
  for await (const entry of writeCloud(scanPoints({ seed }), { folder }))
    tiles.set(entry.path, Buffer.from(entry.content as Uint8Array));
  await rm(folder, { recursive: true });
  const type = 'application/octet-stream';
  const files = new Map<string, ServedFile>([
    ...(await buildPages(root)),
    ...[...tiles].map(([name, body]) => [`/own-cloud/${name}`, { type, body }] as const),
    ...[...(await writePotree(tiles))].map(([name, body]) => [`/potree-cloud/${name}`, { type, body }] as const),
  ]);
  const rays = new PlantRays(createMesh(plant.parts).mesh);
  const views = chooseViews(rays, chooseCount(3, 20));
  const silhouettes = views.map((view) => castSilhouette(rays, view));
  const fractions = { own: { holes: 0, excess: 0 }, potree: { holes: 0, excess: 0 } };
  await mkdir(path.join(root, pictureFolder), { recursive: true });
  const server = await new ThrottledServer(files).start();
  try {
    for (const contender of contenders) {
      const scene: BenchScene = {
        file: `/${contender}-cloud`,
        view: views[0]!,
        budget,
        attribute: 'Color',
        background,
      };
      const run = await runPage(chromium, server.url, contender, scene);
      try {
        for (const [index, view] of views.entries()) {
          const { points } = await run.lookFrom(view);
          const picture = await run.takePicture();
          await writeFile(path.join(root, pictureFolder, `${contender}-${index + 1}.png`), picture);
          const { holes, excess } = await comparePicture(picture, silhouettes[index]!);
          log(
            `  ${contender} view ${index + 1}, ${points} points: ${(100 * holes).toFixed(2)} % holes, ${(100 * excess).toFixed(2)} % excess`,
          );
          fractions[contender].holes += holes / views.length;
          fractions[contender].excess += excess / views.length;
        }
      } finally {
        await run.close();
      }
    }
  } finally {
    await server.stop();
  }
  const format = (name: 'holes' | 'excess'): string =>
    `potree-core ${(100 * fractions.potree[name]).toFixed(2)} %, ours ${(100 * fractions.own[name]).toFixed(2)} %`;
  return [
    atMost(1, {
      name: 'cloud coverage: surface that shows the background',
      value: fractions.own.holes / fractions.potree.holes,
      unit: '',
      against: format('holes'),
    }),
    atMost(1, {
      name: 'cloud coverage: background that shows points',
      value: fractions.own.excess / fractions.potree.excess,
      unit: '',
      against: format('excess'),
    }),
  ];
};
export default bench;

/** Chooses eyes near the viewpoints that look at something within five metres. */
function chooseViews(rays: PlantRays, viewCount: number): readonly CameraView[] {
  const random = createRandom(seed);
  const views: CameraView[] = [];
  while (views.length < viewCount) {
    const node = plant.nodes[Math.floor(random() * plant.nodes.length)]!;
    const view: CameraView = {
      position: plus(node.position, [random() * 3 - 1.5, random() * 3 - 1.5, 0]),
      pan: random() * 360,
      tilt: random() * 40 - 25,
      fov: 60,
    };
    const distance = rays.computeDistance([...view.position], [...toDirection(view.pan, view.tilt)]);
    if (distance !== undefined && distance >= distances.min && distance <= distances.max) views.push(view);
  }
  return views;
}

/** Whether a surface is seen at each compared pixel, row by row. */
function castSilhouette(rays: PlantRays, view: CameraView): readonly boolean[] {
  const { right, up, forward, halfWidth, halfHeight } = createCloudCamera(view, size.width, size.height);
  const silhouette: boolean[] = [];
  for (let y = pixelStep / 2; y < size.height; y += pixelStep) {
    for (let x = pixelStep / 2; x < size.width; x += pixelStep) {
      const ray: Point3 = plus(
        forward,
        plus(
          times(right, (((x + 0.5) / size.width) * 2 - 1) * halfWidth),
          times(up, (1 - ((y + 0.5) / size.height) * 2) * halfHeight),
        ),
      );
      const length = Math.hypot(...ray);
      silhouette.push(
        rays.computeDistance([...view.position], [ray[0] / length, ray[1] / length, ray[2] / length]) !== undefined,
      );
    }
  }
  return silhouette;
}

/** Shares of the pixels inside the silhouette that show the background, and of those outside that do not. */
async function comparePicture(
  picture: Buffer,
  silhouette: readonly boolean[],
): Promise<{ readonly holes: number; readonly excess: number }> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let [inside, holes, excess, index] = [0, 0, 0, 0];
  for (let y = pixelStep / 2; y < size.height; y += pixelStep) {
    for (let x = pixelStep / 2; x < size.width; x += pixelStep) {
      const offset = (y * info.width + x) * 3;
      const isBackground = background.every((value, channel) => Math.abs(data[offset + channel]! - value * 255) <= 2);
      const isSurface = silhouette[index++];
      if (isSurface) inside++;
      if (isSurface && isBackground) holes++;
      if (!isSurface && !isBackground) excess++;
    }
  }
  return { holes: holes / Math.max(1, inside), excess: excess / silhouette.length };
}
