import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoFile } from '#core';
import { createDemoDocuments } from './documents/documents.ts';
import type { FullDemoPlant } from './full-demo-plant.ts';
import { markers } from './markers/markers.ts';
import { createPlantModel } from './model/plant-model.ts';
import { plant } from './plant/plant.ts';
import { computeBearing } from './plant/vector.ts';
import type { RenderedFile, RenderedIndex } from './render/rendered-index.ts';
import { scanPoints } from './scan/scan-points.ts';
import { projectRoot } from '../project-root.ts';

export { plant } from './plant/plant.ts';

/** Folder of the committed renderings. */
const renderedFolder = join(projectRoot, 'cli', 'demo', 'rendered');

async function readIndex(): Promise<RenderedIndex> {
  const text = await readFile(join(renderedFolder, 'index.json'), 'utf8').catch((cause: unknown) => {
    throw new Error(
      `The demo's pictures are missing (${join(renderedFolder, 'index.json')}). Check the files out again, or run "walkdown ` +
        'demo --render".',
      { cause },
    );
  });
  return JSON.parse(text) as RenderedIndex;
}

function toDemoFile({ file, ...fileProperties }: RenderedFile): DemoFile {
  return {
    path: join(renderedFolder, file),
    name: file.slice(file.lastIndexOf('/') + 1),
    mediaType: file.endsWith('.webp') ? 'image/webp' : 'image/jpeg',
    ...fileProperties,
  };
}

/** Absolute paths of all rendered files and their index. */
export async function listRenderedFiles(): Promise<string[]> {
  const { nodes, earlier, decks, locations, backgrounds } = await readIndex();
  const files = [
    ...nodes.flatMap((node) => [node.panorama, node.range, node.thumbnail]),
    ...earlier.flatMap(({ panorama, range }) => [panorama, range]),
    ...decks.map((deck) => deck.map),
    ...locations.flatMap(({ icon, navigationImage }) => [
      ...(icon ? [icon] : []),
      ...(navigationImage ? [navigationImage] : []),
    ]),
    ...backgrounds,
  ];
  return [...files.map(({ file }) => join(renderedFolder, file)), join(renderedFolder, 'index.json')];
}

/** The fictitious capture time of a node. Captures are a minute and a half apart. */
const computeCaptureTime = (captureIndex: number): string =>
  new Date(Date.UTC(2026, 5, 9, 13, 20) + captureIndex * 90_000).toISOString();

/** The capture time of a node at the earlier capture, some months before. */
const computeEarlierCaptureTime = (captureIndex: number): string =>
  new Date(Date.UTC(2025, 10, 18, 9, 5) + captureIndex * 90_000).toISOString();

/** The demo plant with its rendered files, from which each plugin's `server/demo.ts` seeds its data. */
export async function createDemoPlant(): Promise<FullDemoPlant> {
  const renderedIndex = await readIndex();
  const deckLocation = new Map(plant.decks.map((deck) => [deck.code, deck.location]));
  const tour = { code: 'HB-M10', name: 'Module M10 process', location: 'HB-M10', startNode: 'HB-P03' };
  const nodeFiles = new Map(renderedIndex.nodes.map((node) => [node.code, node]));
  return {
    name: plant.name,
    locations: plant.locations.map(({ box: _box, ...location }) => {
      const files = renderedIndex.locations.find(({ uid }) => uid === location.uid);
      return {
        ...location,
        // Names differ, because a workbook of locations names the pictures that are uploaded with it.
        ...(files?.icon ? { icon: { ...toDemoFile(files.icon), name: `${location.uid}-icon.jpg` } } : {}),
        ...(files?.navigationImage
          ? { navigationImage: { ...toDemoFile(files.navigationImage), name: `${location.uid}-map.jpg` } }
          : {}),
        ...(files?.navigationAreas ? { navigationAreas: files.navigationAreas } : {}),
      };
    }),
    decks: renderedIndex.decks.flatMap(({ code, extent, map }) => {
      const deck = plant.decks.find((candidate) => candidate.code === code);
      return deck
        ? [{ code, name: deck.name, location: deck.location, elevation: deck.elevation, map: toDemoFile(map), extent }]
        : [];
    }),
    tours: [tour],
    nodes: plant.nodes.map((node, captureIndex) => {
      const files = nodeFiles.get(node.code);
      if (!files)
        throw new Error(`The demo's index lists no files of node ${node.code}. Run "walkdown demo --render".`);
      const earlierCaptures = renderedIndex.earlier
        .filter((capture) => capture.code === node.code)
        .map(({ panorama, range }) => ({
          capturedAt: computeEarlierCaptureTime(captureIndex),
          panorama: toDemoFile(panorama),
          range: toDemoFile(range),
        }));
      const { code, name, deck, location, position, heading, view } = node;
      return {
        code,
        name,
        tour: tour.code,
        deck,
        location,
        position,
        heading,
        view,
        capturedAt: computeCaptureTime(captureIndex),
        panorama: toDemoFile(files.panorama),
        range: toDemoFile(files.range),
        thumbnail: toDemoFile(files.thumbnail),
        earlier: earlierCaptures,
      };
    }),
    links: plant.nodes.flatMap((node) =>
      node.neighbours.map(({ code, kind }) => {
        const neighbour = plant.nodes.find((candidate) => candidate.code === code);
        if (!neighbour)
          throw new Error(`Node ${node.code} of the demo plant has the neighbour ${code}, which does not exist.`);
        const [x, y, z] = neighbour.position;
        const { pan, tilt } = computeBearing(node.position, [x, y, z - 1.7]);
        return {
          from: node.code,
          to: code,
          kind,
          pan,
          tilt,
          distance: computeBearing(node.position, neighbour.position).distance,
        };
      }),
    ),
    tags: plant.tags.map((tag) => ({
      ...tag,
      location: deckLocation.get(tag.deck) ?? 'HB-M10',
      seenFrom: renderedIndex.tags[tag.tag] ?? [],
    })),
    lines: plant.lines.map(({ number, service, nps, dn, outsideDiameter, from, to, points }) => ({
      number,
      service,
      nps,
      dn,
      outsideDiameter,
      from,
      to,
      points,
      seenFrom: renderedIndex.lines[number] ?? [],
    })),
    documents: createDemoDocuments(plant),
    clouds: [
      {
        code: 'HB-M10-2026',
        name: 'Module M10, June 2026',
        location: 'HB-M10',
        capturedAt: computeCaptureTime(0),
        points: () => scanPoints(),
      },
    ],
    models: [createPlantModel(plant)],
    markers,
    loginBackgrounds: renderedIndex.backgrounds.map(toDemoFile),
  };
}
