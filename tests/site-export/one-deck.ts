import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import sharp from 'sharp';
import { createDemoPlant } from '../../cli/demo/index.ts';
import type { FullDemoPlant } from '../../cli/demo/full-demo-plant.ts';

const deck = 'HB-M10-L1';

/** A deck of the demo plant with two viewpoints and all that belongs to them. The panoramas are 512 pixels high. */
export async function buildOneDeck(folder: string): Promise<FullDemoPlant> {
  const plant = await createDemoPlant();
  const nodes = plant.nodes.filter((node) => node.location === deck).slice(0, 2);
  const nodeCodes = new Set(nodes.map(({ code }) => code));
  const isSeenFromNodes = ({ seenFrom }: { readonly seenFrom: readonly { readonly node: string }[] }): boolean =>
    seenFrom.some(({ node }) => nodeCodes.has(node));
  const lines = plant.lines.filter(isSeenFromNodes);
  const lineNumbers = new Set(lines.map(({ number }) => number));
  const tags = plant.tags
    .filter((tag) => tag.location === deck && isSeenFromNodes(tag))
    .map((tag) => ({ ...tag, ...(tag.line !== undefined && !lineNumbers.has(tag.line) ? { line: undefined } : {}) }));
  const smallNodes: typeof nodes = [];
  for (const [index, { earlier, ...node }] of nodes.entries()) {
    const range = { ...node.range, ...(await shrinkRangeImage(folder, node.range)) };
    const picture = { ...node.panorama, ...(await writePicture(folder, `${node.code}.jpg`, index * 40)) };
    smallNodes.push({
      ...node,
      panorama: picture,
      range,
      ...(index === 0 && {
        earlier: [
          {
            capturedAt: '2025-11-03T09:00:00.000Z',
            panorama: { ...node.panorama, ...(await writePicture(folder, `${node.code}-earlier.jpg`, 200)) },
            range,
          },
        ],
      }),
    });
  }
  const site = plant.locations.filter(({ root }) => root === 'HB');
  return {
    ...plant,
    locations: site,
    decks: plant.decks.filter(({ location }) => location === deck),
    tours: plant.tours
      .filter(({ location }) => location === 'HB-M10')
      .map((tour) => ({ ...tour, startNode: nodes[0]!.code })),
    nodes: smallNodes,
    links: plant.links.filter(({ from, to }) => nodeCodes.has(from) && nodeCodes.has(to)),
    tags: tags as FullDemoPlant['tags'],
    lines,
    documents: plant.documents.slice(0, 2),
    clouds: [],
    models: [await buildModel(folder)],
  };
}

async function writePicture(folder: string, name: string, hue: number) {
  const file = path.join(folder, name);
  await sharp({ create: { width: 1024, height: 512, channels: 3, background: { r: hue, g: 90, b: 120 } } })
    .withExif({ IFD0: { Artist: 'Surveyor' } })
    .jpeg()
    .toFile(file);
  return { path: file, name, width: 1024, height: 512 };
}

async function shrinkRangeImage(folder: string, { path: file, name }: FullDemoPlant['nodes'][number]['range']) {
  const smallFile = path.join(folder, name);
  await sharp(file).resize(1024, 512, { kernel: 'nearest' }).webp({ lossless: true }).toFile(smallFile);
  return { path: smallFile, name, width: 1024, height: 512 };
}

/** A triangle with the name of a tag. */
async function buildModel(folder: string): Promise<NonNullable<FullDemoPlant['models']>[number]> {
  const document = new Document();
  const buffer = document.createBuffer();
  const position = document
    .createAccessor()
    .setType('VEC3')
    .setArray(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]))
    .setBuffer(buffer);
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position));
  document.createScene().addChild(document.createNode('V-1001').setMesh(mesh));
  const file = path.join(folder, 'deck.glb');
  await writeFile(file, await new NodeIO().writeBinary(document));
  const { size: bytes } = await stat(file);
  return {
    code: 'DECK',
    name: 'Deck model',
    location: deck,
    make: async () => ({
      file: { path: file, name: 'deck.glb', mediaType: 'model/gltf-binary', bytes },
      report: { objects: 1, meshes: 1, tagged: 0, triangles: 1 },
      bounds: { min: [0, 0, 0], max: [1, 1, 0] },
    }),
  };
}
