import { nominalPipes } from '#core/piping';

/**
 * A pipe size by ASME B36.10M with its class 150 flange by ASME B16.5. `thickness` is that of one flange. All lengths
 * are in millimetres.
 */
export interface PipeSize {
  /** Nominal pipe size in inches, as written on a drawing. */
  readonly nps: string;
  readonly dn: number;
  readonly outsideDiameter: number;
  readonly flange: {
    readonly diameter: number;
    readonly thickness: number;
    readonly boltCircle: number;
    readonly bolts: number;
    readonly boltDiameter: number;
  };
}

const flangeRows: readonly (readonly [
  nps: string,
  flange: number,
  thickness: number,
  circle: number,
  bolts: number,
  bolt: number,
])[] = [
  ['1/2', 90, 11.2, 60.3, 4, 12.7],
  ['3/4', 100, 12.7, 69.9, 4, 12.7],
  ['1', 110, 14.3, 79.4, 4, 12.7],
  ['1 1/2', 125, 17.5, 98.4, 4, 12.7],
  ['2', 150, 19.1, 120.7, 4, 15.9],
  ['3', 190, 23.9, 152.4, 4, 15.9],
  ['4', 230, 23.9, 190.5, 8, 15.9],
  ['6', 280, 25.4, 241.3, 8, 19.1],
  ['8', 345, 28.6, 298.5, 8, 19.1],
  ['10', 405, 30.2, 362.0, 12, 22.2],
  ['12', 485, 31.8, 431.8, 12, 22.2],
  ['14', 535, 35.1, 476.3, 12, 25.4],
  ['16', 595, 36.6, 539.8, 16, 25.4],
  ['18', 635, 39.7, 577.9, 16, 28.6],
  ['20', 700, 42.9, 635.0, 20, 28.6],
  ['24', 815, 47.7, 749.3, 20, 31.8],
];

/** All sizes, smallest first. */
export const pipeSizes: readonly PipeSize[] = flangeRows.flatMap(
  ([nps, diameter, thickness, boltCircle, bolts, boltDiameter]) =>
    nominalPipes
      .filter((pipe) => pipe.nps === nps)
      .map(({ dn, outsideDiameter }) => ({
        nps,
        dn,
        outsideDiameter: Math.round(outsideDiameter * 10_000) / 10,
        flange: { diameter, thickness, boltCircle, bolts, boltDiameter },
      })),
);

const sizesByNps = new Map(pipeSizes.map((size) => [size.nps, size]));

/**
 * The size with a nominal pipe size.
 *
 * @throws for an unknown size
 */
export function getPipeSize(nps: string): PipeSize {
  const size = sizesByNps.get(nps);
  if (!size)
    throw new Error(
      `No pipe size NPS "${nps}" of ASME B36.10M in pipe-sizes.ts, which has ${[...sizesByNps.keys()].join(', ')}.`,
    );
  return size;
}
