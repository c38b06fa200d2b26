import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createMesh } from '../geometry/plant-mesh.ts';
import { PlantRays } from '../geometry/plant-rays.ts';
import { recapturedNodes, partsAtEarlierCapture } from '../plant/earlier.ts';
import type { Node, Part, Plant } from '../plant/types.ts';
import { computeOutline } from './camera.ts';
import { extractPerspective } from './equirectangular.ts';
import { navigationCameras, navigationSize } from './pictures.ts';
import { createRangeImage } from './range-image.ts';
import {
  computeDescriptionDigest,
  computeEarlierDigest,
  type RenderedFile,
  type RenderedIndex,
} from './rendered-index.ts';
import { findLineViews, findTagViews } from './visibility.ts';

/** Size of a range image in pixels. */
export const rangeSize = { width: 2048, height: 1024 } as const;

async function readRenderedFile(folder: string, file: string): Promise<RenderedFile> {
  const { width, height } = await sharp(join(folder, file)).metadata();
  return { file, bytes: (await stat(join(folder, file))).size, width, height };
}

async function fileExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Writes the range images of all nodes, computed from the description. */
export async function writeRanges(plant: Plant, folder: string, log: (line: string) => void): Promise<void> {
  await writePanoramaRanges(plant.parts, plant.nodes, folder, 'range', log);
  await writeEarlierRanges(plant, folder, log);
}

/** Writes the range images of the earlier capture. */
async function writeEarlierRanges(plant: Plant, folder: string, log: (line: string) => void): Promise<void> {
  await writePanoramaRanges(
    partsAtEarlierCapture,
    plant.nodes.filter(({ code }) => recapturedNodes.includes(code)),
    folder,
    'earlier',
    log,
  );
}

async function writePanoramaRanges(
  parts: readonly Part[],
  nodes: readonly Node[],
  folder: string,
  folderName: string,
  log: (line: string) => void,
): Promise<void> {
  const rays = new PlantRays(createMesh(parts).mesh);
  await mkdir(join(folder, folderName), { recursive: true });
  for (const node of nodes) {
    const pixels = createRangeImage(rays, node.position, node.heading, rangeSize.width, rangeSize.height);
    await sharp(pixels, { raw: { ...rangeSize, channels: 3 } })
      .webp({ lossless: true, effort: 6 })
      .toFile(join(folder, `${folderName}/${node.code}.webp`));
    log(`${folderName} ${node.code}`);
  }
}

/** Writes a thumbnail of each node's first view, extracted from its panorama. */
export async function writeThumbnails(plant: Plant, folder: string): Promise<void> {
  await mkdir(join(folder, 'thumbnail'), { recursive: true });
  for (const node of plant.nodes) {
    const { data, info } = await sharp(join(folder, `panorama/${node.code}.jpg`))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = extractPerspective(
      { data, width: info.width, height: info.height },
      node.heading,
      { ...node.view, fov: 58 },
      960,
      640,
    );
    await sharp(picture, { raw: { width: 960, height: 640, channels: 3 } })
      .resize(480, 320)
      .jpeg({ quality: 82, mozjpeg: true })
      .toFile(join(folder, `thumbnail/${node.code}.jpg`));
  }
}

/** Writes `index.json` for the files in `folder`. @throws if a file of a node is missing */
export async function writeIndex(plant: Plant, folder: string): Promise<RenderedIndex> {
  const rays = new PlantRays(createMesh(plant.parts).mesh);
  const aspect = navigationSize.width / navigationSize.height;
  const nodes = await Promise.all(
    plant.nodes.map(async ({ code, position, heading }) => ({
      code,
      position,
      heading,
      panorama: await readRenderedFile(folder, `panorama/${code}.jpg`),
      range: await readRenderedFile(folder, `range/${code}.webp`),
      thumbnail: await readRenderedFile(folder, `thumbnail/${code}.jpg`),
    })),
  );
  const earlierCaptures = await Promise.all(
    recapturedNodes.map(async (code) => ({
      code,
      panorama: await readRenderedFile(folder, `earlier/${code}.jpg`),
      range: await readRenderedFile(folder, `earlier/${code}.webp`),
    })),
  );
  const decks = await Promise.all(
    plant.decks.map(async ({ code, extent }) => ({
      code,
      extent,
      map: await readRenderedFile(folder, `map/${code}.jpg`),
    })),
  );
  const locations: RenderedIndex['locations'][number][] = [];
  for (const { uid } of plant.locations) {
    const icon = (await fileExists(join(folder, `icon/${uid}.jpg`)))
      ? { icon: await readRenderedFile(folder, `icon/${uid}.jpg`) }
      : {};
    const camera = Object.entries(navigationCameras).find(([site]) => site === uid)?.[1];
    const hasImage = camera !== undefined && (await fileExists(join(folder, `navigation/${uid}.jpg`)));
    const units = plant.locations.filter((location) => location.parent === uid && location.box);
    const image = hasImage
      ? {
          navigationImage: await readRenderedFile(folder, `navigation/${uid}.jpg`),
          navigationAreas: units.map((unit) => ({
            location: unit.uid,
            polygon: computeOutline(camera, aspect, unit.box!.min, unit.box!.max),
          })),
        }
      : {};
    if (hasImage || 'icon' in icon) locations.push({ uid, ...icon, ...image });
  }
  const backgrounds: RenderedFile[] = [];
  for (let k = 1; await fileExists(join(folder, `background/login-${k}.jpg`)); k++)
    backgrounds.push(await readRenderedFile(folder, `background/login-${k}.jpg`));
  const index: RenderedIndex = {
    digest: computeDescriptionDigest(plant),
    earlierDigest: computeEarlierDigest(partsAtEarlierCapture),
    nodes,
    earlier: earlierCaptures,
    decks,
    locations,
    backgrounds,
    tags: Object.fromEntries(plant.tags.map((tag) => [tag.tag, findTagViews(rays, plant, tag)])),
    lines: Object.fromEntries(plant.lines.map((line) => [line.number, findLineViews(rays, plant, line)])),
  };
  await mkdir(dirname(join(folder, 'index.json')), { recursive: true });
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
  return index;
}

/** Reads `index.json`. */
export async function readIndex(folder: string): Promise<RenderedIndex> {
  return JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as RenderedIndex;
}
