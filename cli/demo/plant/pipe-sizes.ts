/**
 * Pipe sizes by ASME B36.10M (NPS, DN, outside diameter) and class 150 flanges by ASME B16.5
 * (flange diameter, thickness of one flange, bolt circle, number and size of bolts). All lengths in millimetres.
 */
export interface PipeSize {
  /** Nominal pipe size in inches, as written on a drawing. */
  readonly nps: string;
  readonly dn: number;
  readonly outsideDiameter: number;
  readonly flange: { readonly diameter: number; readonly thickness: number; readonly boltCircle: number; readonly bolts: number; readonly boltDiameter: number };
}

const rows: readonly (readonly [nps: string, dn: number, od: number, flange: number, thickness: number, circle: number, bolts: number, bolt: number])[] = [
  ['1/2', 15, 21.3, 90, 11.2, 60.3, 4, 12.7],
  ['3/4', 20, 26.7, 100, 12.7, 69.9, 4, 12.7],
  ['1', 25, 33.4, 110, 14.3, 79.4, 4, 12.7],
  ['1 1/2', 40, 48.3, 125, 17.5, 98.4, 4, 12.7],
  ['2', 50, 60.3, 150, 19.1, 120.7, 4, 15.9],
  ['3', 80, 88.9, 190, 23.9, 152.4, 4, 15.9],
  ['4', 100, 114.3, 230, 23.9, 190.5, 8, 15.9],
  ['6', 150, 168.3, 280, 25.4, 241.3, 8, 19.1],
  ['8', 200, 219.1, 345, 28.6, 298.5, 8, 19.1],
  ['10', 250, 273.0, 405, 30.2, 362.0, 12, 22.2],
  ['12', 300, 323.8, 485, 31.8, 431.8, 12, 22.2],
  ['14', 350, 355.6, 535, 35.1, 476.3, 12, 25.4],
  ['16', 400, 406.4, 595, 36.6, 539.8, 16, 25.4],
  ['18', 450, 457.0, 635, 39.7, 577.9, 16, 28.6],
  ['20', 500, 508.0, 700, 42.9, 635.0, 20, 28.6],
  ['24', 600, 610.0, 815, 47.7, 749.3, 20, 31.8],
];

/** All sizes, smallest first. */
export const pipeSizes: readonly PipeSize[] = rows.map(([nps, dn, outsideDiameter, diameter, thickness, boltCircle, bolts, boltDiameter]) => ({
  nps,
  dn,
  outsideDiameter,
  flange: { diameter, thickness, boltCircle, bolts, boltDiameter },
}));

const byNps = new Map(pipeSizes.map((size) => [size.nps, size]));

/** The size named so in inches. Throws when the table has none: a line of an unknown size is a mistake in the description. */
export function pipeSize(nps: string): PipeSize {
  const size = byNps.get(nps);
  if (!size) throw new Error(`No pipe size NPS "${nps}" in ASME B36.10M as kept in pipe-sizes.ts; it has ${[...byNps.keys()].join(', ')}.`);
  return size;
}
