import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoFile } from '#core';
import { demoDocuments } from './documents/documents.ts';
import type { FullDemoPlant } from './full-demo-plant.ts';
import { markers } from './markers/markers.ts';
import { plantModel } from './model/plant-model.ts';
import { plant } from './plant/plant.ts';
import { bearing } from './plant/vector.ts';
import type { RenderedFile, RenderedIndex } from './render/rendered-index.ts';
import { scanPoints } from './scan/scan-points.ts';
import { projectRoot } from '../project-root.ts';

export { plant } from './plant/plant.ts';

/** Folder of the committed renderings. */
const folder = join(projectRoot, 'cli', 'demo', 'rendered');

async function index(): Promise<RenderedIndex> {
  const text = await readFile(join(folder, 'index.json'), 'utf8').catch((cause: unknown) => {
    throw new Error(
      `The demo's pictures are missing (${join(folder, 'index.json')}). Check the files out again, or run "walkdown ` +
        'demo --render".',
      { cause },
    );
  });
  return JSON.parse(text) as RenderedIndex;
}

function toDemoFile({ file, ...rest }: RenderedFile): DemoFile {
  return {
    path: join(folder, file),
    name: file.slice(file.lastIndexOf('/') + 1),
    mediaType: file.endsWith('.webp') ? 'image/webp' : 'image/jpeg',
    ...rest,
  };
}

/** Absolute paths of all rendered files, the index last. */
export async function renderedFiles(): Promise<string[]> {
  const { nodes, earlier, decks, locations, backgrounds } = await index();
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
  return [...files.map(({ file }) => join(folder, file)), join(folder, 'index.json')];
}

/** Fictitious capture times of the nodes, a minute and a half apart. */
const capturedAt = (round: number): string => new Date(Date.UTC(2026, 5, 9, 13, 20) + round * 90_000).toISOString();

/** Capture times of the previous round: some months earlier. */
const earlierAt = (round: number): string => new Date(Date.UTC(2025, 10, 18, 9, 5) + round * 90_000).toISOString();

/** The demo plant for `server/demo.ts` of the plugins: the description with the rendered files. */
export async function demoPlant(): Promise<FullDemoPlant> {
  const rendered = await index();
  const deckLocation = new Map(plant.decks.map((deck) => [deck.code, deck.location]));
  const tour = { code: 'HB-M10', name: 'Module M10 process', location: 'HB-M10', startNode: 'HB-P03' };
  const nodeFiles = new Map(rendered.nodes.map((node) => [node.code, node]));
  return {
    name: plant.name,
    locations: plant.locations.map(({ box: _box, ...location }) => {
      const files = rendered.locations.find(({ uid }) => uid === location.uid);
      return {
        ...location,
        ...(files?.icon ? { icon: toDemoFile(files.icon) } : {}),
        ...(files?.navigationImage ? { navigationImage: toDemoFile(files.navigationImage) } : {}),
        ...(files?.navigationAreas ? { navigationAreas: files.navigationAreas } : {}),
      };
    }),
    decks: rendered.decks.flatMap(({ code, extent, map }) => {
      const deck = plant.decks.find((each) => each.code === code);
      return deck
        ? [{ code, name: deck.name, location: deck.location, elevation: deck.elevation, map: toDemoFile(map), extent }]
        : [];
    }),
    tours: [tour],
    nodes: plant.nodes.map((node, round) => {
      const files = nodeFiles.get(node.code);
      if (!files)
        throw new Error(`The demo's index knows no files of node ${node.code}. Run "walkdown demo --render".`);
      const earlier = rendered.earlier
        .filter((capture) => capture.code === node.code)
        .map(({ panorama, range }) => ({
          capturedAt: earlierAt(round),
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
        capturedAt: capturedAt(round),
        panorama: toDemoFile(files.panorama),
        range: toDemoFile(files.range),
        thumbnail: toDemoFile(files.thumbnail),
        earlier,
      };
    }),
    links: plant.nodes.flatMap((node) =>
      node.neighbours.map(({ code, kind }) => {
        const other = plant.nodes.find((each) => each.code === code);
        if (!other)
          throw new Error(`Node ${node.code} of the demo plant names a neighbour ${code} that does not exist.`);
        const [x, y, z] = other.position;
        const { pan, tilt } = bearing(node.position, [x, y, z - 1.7]);
        return {
          from: node.code,
          to: code,
          kind,
          pan,
          tilt,
          distance: bearing(node.position, other.position).distance,
        };
      }),
    ),
    tags: plant.tags.map((tag) => ({
      ...tag,
      location: deckLocation.get(tag.deck) ?? 'HB-M10',
      seenFrom: rendered.tags[tag.tag] ?? [],
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
      seenFrom: rendered.lines[number] ?? [],
    })),
    documents: demoDocuments(plant),
    clouds: [
      {
        code: 'HB-M10-2026',
        name: 'Module M10, June 2026',
        location: 'HB-M10',
        capturedAt: capturedAt(0),
        points: () => scanPoints(),
      },
    ],
    models: [plantModel(plant)],
    markers,
    loginBackgrounds: rendered.backgrounds.map(toDemoFile),
  };
}
