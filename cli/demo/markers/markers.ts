import type { DemoMarker } from '#plugins/vr';
import { plant } from '../plant/plant.ts';
import type { Point, Pump, Vessel } from '../plant/types.ts';
import { writePdf } from './write-pdf.ts';

const process = 'HB-M10-L1';
const upper = 'HB-M10-L2';

/** Corners of a vertical area that faces along y. */
const upright = (
  [x0, z0]: readonly [number, number],
  [x1, z1]: readonly [number, number],
  y: number,
): readonly Point[] => [
  [x0, y, z1],
  [x1, y, z1],
  [x1, y, z0],
  [x0, y, z0],
];
/** Corners of an area on a deck. */
const flat = (
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  z: number,
): readonly Point[] => [
  [x0, y0, z],
  [x1, y0, z],
  [x1, y1, z],
  [x0, y1, z],
];

const vessel = (tag: string): Vessel =>
  plant.equipment.find((part): part is Vessel => part.kind === 'vessel' && part.tag === tag)!;
const pump = (tag: string): Pump =>
  plant.equipment.find((part): part is Pump => part.kind === 'pump' && part.tag === tag)!;

const metres = (value: number): string => `${value.toFixed(2)} m`;
const sheet = (
  tag: string,
  label: string,
  facts: readonly (readonly [string, string])[],
): NonNullable<DemoMarker['document']> => ({
  name: `${tag} data sheet.pdf`,
  mediaType: 'application/pdf',
  content: () => writePdf(`${tag}  Data sheet`, `${plant.name}, ${label}`, facts),
});

function vesselSheet(tag: string): NonNullable<DemoMarker['document']> {
  const { description, outsideDiameter, length, axis, centre, nozzles } = vessel(tag);
  return sheet(tag, description, [
    ['Outside diameter', metres(outsideDiameter)],
    ['Tangent to tangent', metres(length)],
    ['Orientation', axis === 'z' ? 'vertical' : 'horizontal'],
    ['Heads', '2:1 ellipsoidal'],
    ['Centre (E, N, EL)', centre.map((value) => value.toFixed(3)).join(', ')],
    ...nozzles.map(({ nps, blind }, index): readonly [string, string] => [
      `Nozzle N${index + 1}`,
      `${nps}"${blind ? ', blinded manway' : ''}`,
    ]),
  ]);
}

function pumpSheet(tag: string): NonNullable<DemoMarker['document']> {
  const { description, base, heading } = pump(tag);
  return sheet(tag, description, [
    ['Type', 'horizontal centrifugal'],
    ['Suction', '8"'],
    ['Discharge', '6"'],
    ['Motor lies to', `${heading} degrees from north`],
    ['Base plate (E, N, EL)', base.map((value) => value.toFixed(3)).join(', ')],
  ]);
}

/** Markers on the panoramas besides tags and paths: documents, outlines of equipment, and areas of the decks. */
export const markers: readonly DemoMarker[] = [
  {
    name: 'V-1001 outline',
    text: 'Production separator. Click for its tag.',
    kind: 'TAG',
    target: 'V-1001',
    points: [
      [-11.4, -6.15, 3.5],
      [-4.3, -6.15, 3.5],
      [-3.9, -6.15, 2.6],
      [-4.3, -6.15, 1.75],
      [-11.4, -6.15, 1.75],
      [-11.8, -6.15, 2.6],
    ],
    location: process,
  },
  {
    name: 'V-1001 data sheet',
    text: 'Sizes and nozzles of the production separator.',
    kind: 'DOCUMENT',
    document: vesselSheet('V-1001'),
    points: [[-9.4, -6.1, 2.45]],
    location: process,
  },
  {
    name: 'V-1002 data sheet',
    text: 'Sizes and nozzles of the test separator.',
    kind: 'DOCUMENT',
    document: vesselSheet('V-1002'),
    points: [[-9.4, 7.6, 1.55]],
    location: process,
  },
  {
    name: 'P-1002A data sheet',
    text: 'Came back from the workshop in spring 2026.',
    kind: 'DOCUMENT',
    document: pumpSheet('P-1002A'),
    points: [[5.15, 6.2, 1.15]],
    location: process,
  },
  {
    name: 'P-1002B outline',
    text: 'Oil export pump with its motor.',
    kind: 'TAG',
    target: 'P-1002B',
    points: upright([9.4, 0.2], [10.6, 1.5], 7.25),
    location: process,
  },
  {
    name: 'Drip pan of V-1001',
    text: 'Drains to T-3001. Report any oil to the control room.',
    kind: 'NOTE',
    points: flat([-13.55, -6.1], [-2.65, -4.45], 0.02),
    location: process,
  },
  {
    name: 'Drip pan of the export pumps',
    text: 'Drains to T-3001. Keep the drain free.',
    kind: 'NOTE',
    points: flat([4.25, 5.55], [12.15, 7.2], 0.02),
    location: process,
  },
  {
    name: 'Keep clear: escape ladder',
    text: 'Nothing may be put down here, not even for a moment.',
    kind: 'NOTE',
    points: flat([13.45, 5.0], [15.4, 5.7], 0.02),
    location: process,
  },
  {
    name: 'Up the escape ladder',
    text: 'Leads to the upper deck.',
    kind: 'HOTSPOT',
    target: 'HB-U05',
    points: upright([18.25, 0.1], [18.95, 4.5], 1.55),
    location: process,
  },
  {
    name: 'Control panels of the export pumps',
    text: 'LCP-1040 and LCP-1041. Local stop only; start from the control room.',
    kind: 'NOTE',
    points: upright([3.75, 0.85], [4.25, 1.5], 4.85),
    location: process,
  },
  {
    name: 'K-1001 doors',
    text: 'Hearing protection must be worn behind these doors.',
    kind: 'TAG',
    target: 'K-1001',
    points: upright([-14.4, 7.2], [-8.1, 10.2], 7.33),
    location: upper,
  },
  {
    name: 'V-1004 data sheet',
    text: 'Sizes and nozzles of the suction scrubber.',
    kind: 'DOCUMENT',
    document: vesselSheet('V-1004'),
    points: [[-4.5, 8.8, 9.35]],
    location: upper,
  },
];
