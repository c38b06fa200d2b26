/** A nominal pipe size by ASME B36.10M. */
export interface NominalPipe {
  /** Inches, as written on a drawing. */
  readonly nps: string;
  /** Millimetres, rounded: the European designation. */
  readonly dn: number;
  /** Metres. */
  readonly outsideDiameter: number;
}

/** NPS, DN and outside diameter in millimetres (ASME B36.10M, table 1). */
const rows: readonly (readonly [nps: string, dn: number, millimetres: number])[] = [
  ['1/2', 15, 21.3],
  ['3/4', 20, 26.7],
  ['1', 25, 33.4],
  ['1 1/4', 32, 42.2],
  ['1 1/2', 40, 48.3],
  ['2', 50, 60.3],
  ['2 1/2', 65, 73],
  ['3', 80, 88.9],
  ['3 1/2', 90, 101.6],
  ['4', 100, 114.3],
  ['5', 125, 141.3],
  ['6', 150, 168.3],
  ['8', 200, 219.1],
  ['10', 250, 273],
  ['12', 300, 323.8],
  ['14', 350, 355.6],
  ['16', 400, 406.4],
  ['18', 450, 457],
  ['20', 500, 508],
  ['22', 550, 559],
  ['24', 600, 610],
  ['26', 650, 660],
  ['28', 700, 711],
  ['30', 750, 762],
  ['32', 800, 813],
  ['34', 850, 864],
  ['36', 900, 914],
  ['38', 950, 965],
  ['40', 1000, 1016],
  ['42', 1050, 1067],
  ['44', 1100, 1118],
  ['46', 1150, 1168],
  ['48', 1200, 1219],
];

/** All sizes, the smallest first. */
export const nominalPipes: readonly NominalPipe[] = rows.map(([nps, dn, millimetres]) => ({
  nps,
  dn,
  outsideDiameter: millimetres / 1000,
}));

/**
 * The pipe with the nearest outside diameter, within the mill tolerance (1 %, ASTM A530) plus three sigma of the
 * measurement; undefined if there is none. All lengths are in metres.
 */
export function findNearestPipe(outsideDiameter: number, sigma = 0): NominalPipe | undefined {
  let nearest: NominalPipe | undefined;
  for (const pipe of nominalPipes) {
    if (
      !nearest ||
      Math.abs(pipe.outsideDiameter - outsideDiameter) < Math.abs(nearest.outsideDiameter - outsideDiameter)
    )
      nearest = pipe;
  }
  return nearest && Math.abs(nearest.outsideDiameter - outsideDiameter) <= nearest.outsideDiameter * 0.01 + 3 * sigma
    ? nearest
    : undefined;
}
