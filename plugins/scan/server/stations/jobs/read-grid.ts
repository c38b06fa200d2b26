import type { E57ScanDescription } from '../../adapters/e57/e57-description.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import type { Rotation } from './scan-frame.ts';
import type { ScanSurvey } from './survey-scan.ts';

/** The points of a structured scan at their image positions, by row and column of the scanner. */
export interface ScanGrid {
  readonly rows: number;
  readonly columns: number;
  /** Pixels from the left and top edges of the image. */
  readonly across: Float32Array;
  readonly down: Float32Array;
  /** Inverse range in 1/m; 0 without a return. */
  readonly nearness: Float32Array;
  /** Red, green, blue of each cell, 0 to 255. */
  readonly colors: Uint8Array;
}

export interface GridPicture {
  readonly width: number;
  readonly height: number;
  /** From the scanner's frame to the import's. */
  readonly rotation: Rotation;
  /** Heading of the image's centre in the import's frame, in degrees clockwise from its north. */
  readonly heading: number;
}

/** Maximum number of cells in memory, about 15 bytes each. A finer grid is subsampled. */
const maxCells = 16_000_000;
const levels = 1024;

/** Reads a structured scan a second time, into a grid of bounded size. */
export async function readGrid(
  file: E57File,
  scan: E57ScanDescription,
  survey: ScanSurvey,
  { width, height, rotation, heading }: GridPicture,
  onRead: (points: number) => Promise<void>,
): Promise<ScanGrid> {
  const step = Math.max(1, Math.ceil(Math.sqrt((survey.rows * survey.columns) / maxCells)));
  const rows = Math.ceil(survey.rows / step);
  const columns = Math.ceil(survey.columns / step);
  const cells = rows * columns;
  const grid = {
    rows,
    columns,
    across: new Float32Array(cells),
    down: new Float32Array(cells),
    nearness: new Float32Array(cells),
    colors: new Uint8Array(cells * 3),
  };
  const strengths = survey.colored || !survey.intensity ? undefined : new Uint16Array(cells);
  const { minimum, maximum } = survey.intensity ?? { minimum: 0, maximum: 1 };
  for await (const batch of file.scanPoints(scan)) {
    await onRead(batch.count);
    for (let k = 0; k < batch.count; k++) {
      if (batch.valid[k] === 0 || !batch.rows || !batch.columns) continue;
      const row = batch.rows[k]! - survey.firstRow;
      const column = batch.columns[k]! - survey.firstColumn;
      if (row % step !== 0 || column % step !== 0) continue;
      const [x, y, z] = [batch.positions[3 * k]!, batch.positions[3 * k + 1]!, batch.positions[3 * k + 2]!];
      const range = Math.hypot(x, y, z);
      if (range === 0) continue;
      const cell = (row / step) * columns + column / step;
      // The first of two returns of one pulse is the visible one.
      if (1 / range < grid.nearness[cell]!) continue;
      const east = rotation[0] * x + rotation[1] * y + rotation[2] * z;
      const north = rotation[3] * x + rotation[4] * y + rotation[5] * z;
      const up = rotation[6] * x + rotation[7] * y + rotation[8] * z;
      const turn = (Math.atan2(east, north) * 180) / Math.PI - heading;
      grid.across[cell] = ((((turn / 360 + 0.5) % 1) + 1) % 1) * width;
      grid.down[cell] = (0.5 - Math.atan2(up, Math.hypot(east, north)) / Math.PI) * height;
      grid.nearness[cell] = 1 / range;
      if (batch.colors)
        for (let channel = 0; channel < 3; channel++)
          grid.colors[3 * cell + channel] = batch.colors[3 * k + channel]! >> 8;
      else if (strengths && batch.intensities)
        strengths[cell] = Math.round(((batch.intensities[k]! - minimum) / (maximum - minimum)) * (levels - 1));
    }
  }
  if (!survey.colored) grey(grid, strengths);
  return grid;
}

/**
 * Converts intensities to greys. Percentiles 1 and 99 span the range, because reflectors are far brighter than steel.
 * One grey if there are no intensities.
 */
function grey({ nearness, colors }: ScanGrid, strengths: Uint16Array | undefined): void {
  if (!strengths) {
    colors.fill(200);
    return;
  }
  const counts = new Uint32Array(levels);
  let all = 0;
  for (const [cell, strength] of strengths.entries()) {
    if (nearness[cell] === 0) continue;
    counts[strength]!++;
    all++;
  }
  const at = (share: number): number => {
    let seen = 0;
    for (const [level, count] of counts.entries()) if ((seen += count) >= share * all) return level;
    return levels - 1;
  };
  const [dark, bright] = [at(0.01), at(0.99)];
  for (const [cell, strength] of strengths.entries()) {
    const share = bright > dark ? Math.min(1, Math.max(0, (strength - dark) / (bright - dark))) : 0.75;
    colors.fill(Math.round(255 * share ** 0.7), 3 * cell, 3 * cell + 3);
  }
}
