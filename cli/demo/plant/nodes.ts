import type { Node } from './types.ts';

/** Height of the camera above the deck, metres. */
export const eyeHeight = 1.7;

type NodeRow = readonly [code: string, name: string, x: number, y: number, heading: number, pan: number, tilt: number];

const processRows: readonly NodeRow[] = [
  ['HB-P01', 'Foot of the west stair', -16.6, -8.2, 45, 5, 3],
  ['HB-P02', 'V-1001, water outlet', -12.2, -3.0, 180, 104, 0],
  ['HB-P03', 'LV-1003 station', -5.0, -3.0, 180, 105, -2],
  ['HB-P04', 'E-1101 coolers', 4.6, -3.2, 180, 104, 0],
  ['HB-P05', 'V-1003 gas scrubber', 11.2, -3.2, 170, 192, 3],
  ['HB-P06', 'Production manifold', 15.8, -3.6, 135, 261, -2],
  ['HB-P07', 'P-1002 export pumps', 6.6, 3.6, 0, 286, -2],
  ['HB-P08', 'North aisle, chemical skid', 0.0, 3.8, 350, 79, -2],
  ['HB-P09', 'V-1002 test separator', -11.8, 4.0, 355, 78, 0],
  ['HB-P10', 'South walkway', -5.6, -11.8, 0, 301, 3],
  ['HB-P11', 'Step-over of the inlet line', 8.4, -11.8, 20, 283, 3],
];

const upperRows: readonly NodeRow[] = [
  ['HB-U01', 'Head of the west stair', -18.6, 4.6, 90, 81, 0],
  ['HB-U02', 'K-1001 compressor', -9.4, 4.0, 0, 287, 3],
  ['HB-U03', 'V-1004 and air cooler', 0.4, 4.0, 10, 283, 4],
  ['HB-U04', 'Export valves', 13.7, 3.7, 20, 284, 2],
  ['HB-U05', 'Head of the escape ladder', 18.0, 4.4, 300, 274, 0],
];

const links: readonly (readonly [string, string, 'WALK' | 'STAIR' | 'LADDER'])[] = [
  ['HB-P01', 'HB-P02', 'WALK'],
  ['HB-P02', 'HB-P03', 'WALK'],
  ['HB-P03', 'HB-P04', 'WALK'],
  ['HB-P04', 'HB-P05', 'WALK'],
  ['HB-P05', 'HB-P06', 'WALK'],
  ['HB-P03', 'HB-P08', 'WALK'],
  ['HB-P04', 'HB-P07', 'WALK'],
  ['HB-P07', 'HB-P08', 'WALK'],
  ['HB-P08', 'HB-P09', 'WALK'],
  ['HB-P02', 'HB-P09', 'WALK'],
  ['HB-P01', 'HB-P10', 'WALK'],
  ['HB-P10', 'HB-P11', 'WALK'],
  ['HB-P11', 'HB-P05', 'WALK'],
  ['HB-P01', 'HB-U01', 'STAIR'],
  ['HB-U01', 'HB-U02', 'WALK'],
  ['HB-U02', 'HB-U03', 'WALK'],
  ['HB-U03', 'HB-U04', 'WALK'],
  ['HB-U04', 'HB-U05', 'WALK'],
  ['HB-P06', 'HB-U05', 'LADDER'],
];

function toNode(row: NodeRow, deck: 'PROCESS' | 'UPPER'): Node {
  const [code, name, x, y, heading, pan, tilt] = row;
  return {
    code,
    name,
    deck,
    location: deck === 'PROCESS' ? 'HB-M10-L1' : 'HB-M10-L2',
    position: [x, y, (deck === 'PROCESS' ? 0 : 7) + eyeHeight],
    heading,
    view: { pan, tilt },
    neighbours: links.flatMap(([a, b, kind]) =>
      a === code ? [{ code: b, kind }] : b === code ? [{ code: a, kind }] : [],
    ),
  };
}

/** The tour of module M10, in walking order. */
export const nodes: readonly Node[] = [
  ...processRows.map((row) => toNode(row, 'PROCESS')),
  ...upperRows.map((row) => toNode(row, 'UPPER')),
];
