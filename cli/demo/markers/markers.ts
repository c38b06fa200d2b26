import type { DemoMarker } from '#plugins/vr';
import { plant } from '../plant/plant.ts';
import type { Point, Pump, Vessel } from '../plant/types.ts';
import { writePdf } from './write-pdf.ts';

const processDeck = 'HB-M10-L1';
const upperDeck = 'HB-M10-L2';

/** Corners of a vertical area that faces along y. */
const listUprightCorners = (
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
const listFlatCorners = (
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  z: number,
): readonly Point[] => [
  [x0, y0, z],
  [x1, y0, z],
  [x1, y1, z],
  [x0, y1, z],
];

const getVessel = (tag: string): Vessel =>
  plant.equipment.find((part): part is Vessel => part.kind === 'vessel' && part.tag === tag)!;
const getPump = (tag: string): Pump =>
  plant.equipment.find((part): part is Pump => part.kind === 'pump' && part.tag === tag)!;

const formatMetres = (value: number): string => `${value.toFixed(2)} m`;
const createDataSheet = (
  tag: string,
  label: string,
  facts: readonly (readonly [string, string])[],
): NonNullable<DemoMarker['document']> => ({
  name: `${tag} data sheet.pdf`,
  mediaType: 'application/pdf',
  content: () => writePdf(`${tag}  Data sheet`, `${plant.name}, ${label}`, facts),
});

function createVesselSheet(tag: string): NonNullable<DemoMarker['document']> {
  const { description, outsideDiameter, length, axis, centre, nozzles } = getVessel(tag);
  return createDataSheet(tag, description, [
    ['Outside diameter', formatMetres(outsideDiameter)],
    ['Tangent to tangent', formatMetres(length)],
    ['Orientation', axis === 'z' ? 'vertical' : 'horizontal'],
    ['Heads', '2:1 ellipsoidal'],
    ['Centre (E, N, EL)', centre.map((value) => value.toFixed(3)).join(', ')],
    ...nozzles.map(({ nps, blind }, index): readonly [string, string] => [
      `Nozzle N${index + 1}`,
      `${nps}"${blind ? ', blinded manway' : ''}`,
    ]),
  ]);
}

function createPumpSheet(tag: string): NonNullable<DemoMarker['document']> {
  const { description, base, heading } = getPump(tag);
  return createDataSheet(tag, description, [
    ['Type', 'horizontal centrifugal'],
    ['Suction', '8"'],
    ['Discharge', '6"'],
    ['Motor lies to', `${heading} degrees from north`],
    ['Base plate (E, N, EL)', base.map((value) => value.toFixed(3)).join(', ')],
  ]);
}

/** Markers on the panoramas: documents, outlines of equipment, and areas of the decks. */
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
    location: processDeck,
  },
  {
    name: 'V-1001 data sheet',
    text: 'Sizes and nozzles of the production separator.',
    kind: 'DOCUMENT',
    document: createVesselSheet('V-1001'),
    points: [[-9.4, -6.1, 2.45]],
    location: processDeck,
  },
  {
    name: 'V-1002 data sheet',
    text: 'Sizes and nozzles of the test separator.',
    kind: 'DOCUMENT',
    document: createVesselSheet('V-1002'),
    points: [[-9.4, 7.6, 1.55]],
    location: processDeck,
  },
  {
    name: 'P-1002A data sheet',
    text: 'Came back from the workshop in spring 2026.',
    kind: 'DOCUMENT',
    document: createPumpSheet('P-1002A'),
    points: [[5.15, 6.2, 1.15]],
    location: processDeck,
  },
  {
    name: 'P-1002B outline',
    text: 'Oil export pump with its motor.',
    kind: 'TAG',
    target: 'P-1002B',
    points: listUprightCorners([9.4, 0.2], [10.6, 1.5], 7.25),
    location: processDeck,
  },
  {
    name: 'Drip pan of V-1001',
    text: 'Drains to T-3001. Report any oil to the control room.',
    kind: 'NOTE',
    points: listFlatCorners([-13.55, -6.1], [-2.65, -4.45], 0.02),
    location: processDeck,
  },
  {
    name: 'Drip pan of the export pumps',
    text: 'Drains to T-3001. Keep the drain free.',
    kind: 'NOTE',
    points: listFlatCorners([4.25, 5.55], [12.15, 7.2], 0.02),
    location: processDeck,
  },
  {
    name: 'Keep clear: escape ladder',
    text: 'Nothing may be put down here, not even for a moment.',
    kind: 'NOTE',
    points: listFlatCorners([13.45, 5.0], [15.4, 5.7], 0.02),
    location: processDeck,
  },
  {
    name: 'Up the escape ladder',
    text: 'Leads to the upper deck.',
    kind: 'HOTSPOT',
    target: 'HB-U05',
    points: listUprightCorners([18.25, 0.1], [18.95, 4.5], 1.55),
    location: processDeck,
  },
  {
    name: 'Control panels of the export pumps',
    text: 'LCP-1040 and LCP-1041. Local stop only; start from the control room.',
    kind: 'NOTE',
    points: listUprightCorners([3.75, 0.85], [4.25, 1.5], 4.85),
    location: processDeck,
  },
  {
    name: 'K-1001 doors',
    text: 'Hearing protection must be worn behind these doors.',
    kind: 'TAG',
    target: 'K-1001',
    points: listUprightCorners([-14.4, 7.2], [-8.1, 10.2], 7.33),
    location: upperDeck,
  },
  {
    name: 'V-1004 data sheet',
    text: 'Sizes and nozzles of the suction scrubber.',
    kind: 'DOCUMENT',
    document: createVesselSheet('V-1004'),
    points: [[-4.5, 8.8, 9.35]],
    location: upperDeck,
  },
];
