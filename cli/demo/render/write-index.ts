import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createMesh } from '../geometry/plant-mesh.ts';
import { PlantRays } from '../geometry/plant-rays.ts';
import { earlierNodes, earlierParts } from '../plant/earlier.ts';
import type { Node, Part, Plant } from '../plant/types.ts';
import { outline } from './camera.ts';
import { perspective } from './equirectangular.ts';
import { navigationCameras, navigationSize } from './pictures.ts';
import { rangeImage } from './range-image.ts';
import { descriptionDigest, earlierDigest, type RenderedFile, type RenderedIndex } from './rendered-index.ts';
import { viewsOfLine, viewsOfTag } from './visibility.ts';

/** Pixels of a range image. */
export const rangeSize = { width: 2048, height: 1024 } as const;

async function rendered(folder: string, file: string): Promise<RenderedFile> {
  const { width, height } = await sharp(join(folder, file)).metadata();
  return { file, bytes: (await stat(join(folder, file))).size, width, height };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Range images of all nodes, computed from the description. */
export async function writeRanges(plant: Plant, folder: string, log: (line: string) => void): Promise<void> {
  await writePanoramaRanges(plant.parts, plant.nodes, folder, 'range', log);
  await writeEarlierRanges(plant, folder, log);
}

/** Range images of the previous round. */
async function writeEarlierRanges(plant: Plant, folder: string, log: (line: string) => void): Promise<void> {
  await writePanoramaRanges(
    earlierParts,
    plant.nodes.filter(({ code }) => earlierNodes.includes(code)),
    folder,
    'earlier',
    log,
  );
}

async function writePanoramaRanges(
  parts: readonly Part[],
  nodes: readonly Node[],
  folder: string,
  below: string,
  log: (line: string) => void,
): Promise<void> {
  const rays = new PlantRays(createMesh(parts).mesh);
  await mkdir(join(folder, below), { recursive: true });
  for (const node of nodes) {
    const pixels = rangeImage(rays, node.position, node.heading, rangeSize.width, rangeSize.height);
    await sharp(pixels, { raw: { ...rangeSize, channels: 3 } })
      .webp({ lossless: true, effort: 6 })
      .toFile(join(folder, `${below}/${node.code}.webp`));
    log(`${below} ${node.code}`);
  }
}

/** Perspective thumbnails from the panoramas, along each node's first view. */
export async function writeThumbnails(plant: Plant, folder: string): Promise<void> {
  await mkdir(join(folder, 'thumbnail'), { recursive: true });
  for (const node of plant.nodes) {
    const { data, info } = await sharp(join(folder, `panorama/${node.code}.jpg`))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = perspective(
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

/** Writes `index.json` for the files in `folder`. Every node needs its three files. */
export async function writeIndex(plant: Plant, folder: string): Promise<RenderedIndex> {
  const rays = new PlantRays(createMesh(plant.parts).mesh);
  const aspect = navigationSize.width / navigationSize.height;
  const nodes = await Promise.all(
    plant.nodes.map(async ({ code, position, heading }) => ({
      code,
      position,
      heading,
      panorama: await rendered(folder, `panorama/${code}.jpg`),
      range: await rendered(folder, `range/${code}.webp`),
      thumbnail: await rendered(folder, `thumbnail/${code}.jpg`),
    })),
  );
  const earlier = await Promise.all(
    earlierNodes.map(async (code) => ({
      code,
      panorama: await rendered(folder, `earlier/${code}.jpg`),
      range: await rendered(folder, `earlier/${code}.webp`),
    })),
  );
  const decks = await Promise.all(
    plant.decks.map(async ({ code, extent }) => ({ code, extent, map: await rendered(folder, `map/${code}.jpg`) })),
  );
  const locations: RenderedIndex['locations'][number][] = [];
  for (const { uid } of plant.locations) {
    const icon = (await exists(join(folder, `icon/${uid}.jpg`)))
      ? { icon: await rendered(folder, `icon/${uid}.jpg`) }
      : {};
    const camera = Object.entries(navigationCameras).find(([site]) => site === uid)?.[1];
    const hasImage = camera !== undefined && (await exists(join(folder, `navigation/${uid}.jpg`)));
    const units = plant.locations.filter((each) => each.parent === uid && each.box);
    const image = hasImage
      ? {
          navigationImage: await rendered(folder, `navigation/${uid}.jpg`),
          navigationAreas: units.map((unit) => ({
            location: unit.uid,
            polygon: outline(camera, aspect, unit.box!.min, unit.box!.max),
          })),
        }
      : {};
    if (hasImage || 'icon' in icon) locations.push({ uid, ...icon, ...image });
  }
  const backgrounds: RenderedFile[] = [];
  for (let k = 1; await exists(join(folder, `background/login-${k}.jpg`)); k++)
    backgrounds.push(await rendered(folder, `background/login-${k}.jpg`));
  const index: RenderedIndex = {
    digest: descriptionDigest(plant),
    earlierDigest: earlierDigest(earlierParts),
    nodes,
    earlier,
    decks,
    locations,
    backgrounds,
    tags: Object.fromEntries(plant.tags.map((tag) => [tag.tag, viewsOfTag(rays, plant, tag)])),
    lines: Object.fromEntries(plant.lines.map((line) => [line.number, viewsOfLine(rays, plant, line)])),
  };
  await mkdir(dirname(join(folder, 'index.json')), { recursive: true });
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
  return index;
}

/** Reads `index.json`. */
export async function readIndex(folder: string): Promise<RenderedIndex> {
  return JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as RenderedIndex;
}
