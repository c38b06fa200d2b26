import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { DemoFile, DemoLocation } from '#core';
import type { DemoNode } from '#plugins/tour';
import type { FullDemoPlant } from '../../cli/demo/full-demo-plant.ts';

/** Roots of the two sites. Location uids begin with the root of their site. */
export const sites = ['site', 'other'] as const;

type Picture = readonly [width: number, height: number, background: { r: number; g: number; b: number }];

async function writePicture(folder: string, name: string, [width, height, background]: Picture): Promise<DemoFile> {
  const file = path.join(folder, name);
  const image = sharp({ create: { width, height, channels: 3, background } });
  await (name.endsWith('.webp') ? image.webp({ lossless: true }) : image.jpeg()).toFile(file);
  const mediaType = name.endsWith('.webp') ? 'image/webp' : 'image/jpeg';
  return { path: file, name, mediaType, bytes: (await stat(file)).size, width, height };
}

/** Builds the smallest valid model, an empty scene. */
export function buildEmptyModel(): Buffer {
  const json = Buffer.from(JSON.stringify({ asset: { version: '2.0' }, scenes: [{ nodes: [] }], scene: 0 }));
  const paddedJson = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, 0x20)]);
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(head.length + paddedJson.length, 8);
  head.writeUInt32LE(paddedJson.length, 12);
  head.write('JSON', 16);
  return Buffer.concat([head, paddedJson]);
}

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: DemoLocation['locationType'],
  root: string,
): DemoLocation => ({ uid, name: uid, label: uid, parent, root, locationType });

/** Builds a plant with a row of every kind and the smallest valid images. Writes its files to `folder`. */
export async function buildFuzzPlant(folder: string): Promise<FullDemoPlant> {
  await mkdir(folder, { recursive: true });
  const panorama = await writePicture(folder, 'p.jpg', [1024, 512, { r: 90, g: 120, b: 150 }]);
  const range = await writePicture(folder, 'r.webp', [1024, 512, { r: 4000 >> 8, g: 4000 & 255, b: 0 }]);
  const thumbnail = await writePicture(folder, 't.jpg', [480, 320, { r: 1, g: 2, b: 3 }]);
  const model = path.join(folder, 'm.glb');
  await writeFile(model, buildEmptyModel());
  const buildNode = (code: string, tour: string, deck: string, location: string, x: number): DemoNode => ({
    code,
    name: `Node ${code}`,
    tour,
    deck,
    location: location,
    position: [x, 1, 2],
    heading: 30,
    view: { pan: 10, tilt: -5 },
    capturedAt: '2026-03-01T10:00:00.000Z',
    panorama,
    range,
    thumbnail,
  });
  const extent = { west: 0, south: 0, east: 40, north: 30 };
  const buildViews = (node: string) => [{ node: node, pan: 12, tilt: 3, distance: 3, visible: 1 }];
  const buildTag = (number: string, deck: string, location: string, node: string) => ({
    tag: number,
    kind: 'VALVE' as const,
    description: `Valve ${number}, 100% "open"`,
    position: [3, 4, 2] as const,
    size: [1, 1, 1] as const,
    deck,
    location: location,
    seenFrom: buildViews(node),
  });
  return {
    name: 'Fuzz plant',
    locations: [
      buildLocation('site', null, 'PRIMARY_LOCATION', 'site'),
      buildLocation('site-unit', 'site', 'PLATFORM_UNIT', 'site'),
      buildLocation('site-deck', 'site-unit', 'LOC_LEVEL', 'site'),
      buildLocation('other', null, 'PRIMARY_LOCATION', 'other'),
      buildLocation('other-unit', 'other', 'PLATFORM_UNIT', 'other'),
      buildLocation('other-deck', 'other-unit', 'LOC_LEVEL', 'other'),
    ],
    decks: [
      { code: 'D1', name: 'Deck', location: 'site-deck', elevation: 0, map: thumbnail, extent },
      { code: 'D2', name: 'Other deck', location: 'other-deck', elevation: 0, map: thumbnail, extent },
    ],
    tours: [
      { code: 'T1', name: 'Tour', location: 'site-unit', startNode: 'N1' },
      { code: 'T2', name: 'Other tour', location: 'other-unit', startNode: 'N3' },
    ],
    nodes: [
      {
        ...buildNode('N1', 'T1', 'D1', 'site-deck', 0),
        earlier: [{ capturedAt: '2025-03-01T10:00:00.000Z', panorama, range }],
      },
      buildNode('N2', 'T1', 'D1', 'site-deck', 4),
      buildNode('N3', 'T2', 'D2', 'other-deck', 0),
    ],
    links: [
      { from: 'N1', to: 'N2', kind: 'WALK', pan: 90, tilt: -20, distance: 4 },
      { from: 'N2', to: 'N1', kind: 'WALK', pan: 270, tilt: -20, distance: 4 },
    ],
    tags: [buildTag('V-101', 'D1', 'site-deck', 'N1'), buildTag('V-201', 'D2', 'other-deck', 'N3')],
    documents: ['D1', 'D2'].map((code, index) => ({
      code: `DS/${code}`,
      title: `Data sheet "${code}"`,
      location: index === 0 ? 'site-deck' : 'other-deck',
      tags: [index === 0 ? 'V-101' : 'V-201'],
      revisions: [
        {
          revision: 'A',
          status: 'A1',
          issuedOn: '2026-01-26',
          fileName: `${code}.pdf`,
          mediaType: 'application/pdf',
          content: () => Promise.resolve(new TextEncoder().encode('sheet')),
        },
      ],
    })),
    lines: [
      {
        number: '6"-PG-10021/A1B',
        service: 'Process gas',
        nps: '6',
        dn: 150,
        outsideDiameter: 0.1683,
        from: 'V-101',
        to: 'K-1',
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        seenFrom: buildViews('N2'),
      },
    ],
    markers: [
      { name: 'Marker', text: '', kind: 'TAG', target: 'V-101', points: [[3, 4, 2]], location: 'site-deck' },
      { name: 'Other marker', text: '', kind: 'NOTE', points: [[3, 4, 2]], location: 'other-deck' },
    ],
    models: ['site-unit', 'other-unit'].map((location) => ({
      code: `MODEL-${location}`,
      name: 'Model',
      location: location,
      make: async () => ({
        file: { path: model, name: 'm.glb', mediaType: 'model/gltf-binary', bytes: (await stat(model)).size },
        bounds: { min: [0, 0, 0], max: [1, 1, 1] },
        report: { objects: 0, tagged: 0, triangles: 0, meshes: 0 },
      }),
    })),
    clouds: ['site-unit', 'other-unit'].map((location) => ({
      code: `CLOUD-${location}`,
      name: 'Cloud',
      location: location,
      capturedAt: '2026-03-01T10:00:00.000Z',
      points: async function* () {
        yield {
          count: 2,
          positions: Float64Array.of(0, 0, 0, 1, 1, 1),
          colors: new Uint16Array(6),
          intensities: Float32Array.of(0, 1),
        };
      },
    })),
    loginBackgrounds: [],
  };
}
