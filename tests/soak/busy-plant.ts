import { mkdtemp, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { DemoFile, DemoLocation } from '#core';
import type { DemoTag } from '#plugins/tour';
import type { FullDemoPlant } from '../../cli/demo/full-demo-plant.ts';

const unitCount = 40;
const tagCount = 600;

async function createPicture(): Promise<DemoFile> {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), 'walkdown-plant-')), 'deck.jpg');
  await sharp({ create: { width: 480, height: 320, channels: 3, background: '#456' } })
    .jpeg()
    .toFile(file);
  return {
    path: file,
    name: 'deck.jpg',
    mediaType: 'image/jpeg',
    bytes: (await stat(file)).size,
    width: 480,
    height: 320,
  };
}

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: DemoLocation['locationType'],
): DemoLocation => ({
  uid,
  name: uid,
  label: `Location ${uid}`,
  parent,
  root: 'site',
  locationType,
});

const buildTag = (number: number): DemoTag => ({
  tag: `PT-${1000 + number}`,
  kind: 'INSTRUMENT',
  description: `Pressure of separator ${number % 7}, train ${number % 3}`,
  position: [number % 40, number % 30, 2],
  size: [0.2, 0.2, 0.4],
  deck: 'D1',
  location: 'deck-0',
  seenFrom: [],
});

/** Builds a site of 40 units and a tour with 600 tags, without panoramas. Replies have up to 14 kB. */
export async function buildBusyPlant(): Promise<FullDemoPlant> {
  const units = Array.from({ length: unitCount }, (_, index) => index);
  return {
    name: 'Busy plant',
    locations: [
      buildLocation('site', null, 'PRIMARY_LOCATION'),
      ...units.flatMap((index) => [
        buildLocation(`unit-${index}`, 'site', 'PLATFORM_UNIT'),
        buildLocation(`deck-${index}`, `unit-${index}`, 'LOC_LEVEL'),
      ]),
    ],
    decks: [
      {
        code: 'D1',
        name: 'Lower',
        location: 'deck-0',
        elevation: 0,
        map: await createPicture(),
        extent: { west: 0, south: 0, east: 40, north: 30 },
      },
    ],
    tours: [{ code: 'T1', name: 'Separation', location: 'unit-0', startNode: 'N1' }],
    nodes: [],
    links: [],
    tags: Array.from({ length: tagCount }, (_, index) => buildTag(index)),
    lines: [],
    documents: [],
    loginBackgrounds: [],
  };
}
