import type { E57ScanDescription } from '../../adapters/e57/e57-description.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import type { Rotation } from './scan-frame.ts';
import type { ScanSurvey } from './survey-scan.ts';

/** The points of a structured scan at their image positions, by row and column of the scanner. */
export interface ScanGrid {
  readonly rows: number;
  readonly columns: number;
  /** Position of each cell in pixels from the left and top edges of the image. */
  readonly imageX: Float32Array;
  readonly imageY: Float32Array;
  /** Inverse range in 1/m; 0 without a return. */
  readonly nearness: Float32Array;
  /** Red, green, blue of each cell, 0 to 255. */
  readonly colors: Uint8Array;
}

export interface GridPicture {
  readonly width: number;
  readonly height: number;
  /** Rotation from the scanner's frame to the import's frame. */
  readonly rotation: Rotation;
  /** Heading of the image's centre in the import's frame, in degrees clockwise from its north. */
  readonly heading: number;
}

/** Maximum number of cells in memory, about 15 bytes each. A finer grid is subsampled. */
const maxCells = 16_000_000;
const greyLevels = 1024;

/** Reads a structured scan, which was surveyed before, into a grid of bounded size. */
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
    imageX: new Float32Array(cells),
    imageY: new Float32Array(cells),
    nearness: new Float32Array(cells),
    colors: new Uint8Array(cells * 3),
  };
  const intensities = survey.colored || !survey.intensity ? undefined : new Uint16Array(cells);
  const { minimum, maximum } = survey.intensity ?? { minimum: 0, maximum: 1 };
  for await (const batch of file.readScan(scan)) {
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
      const pan = (Math.atan2(east, north) * 180) / Math.PI - heading;
      grid.imageX[cell] = ((((pan / 360 + 0.5) % 1) + 1) % 1) * width;
      grid.imageY[cell] = (0.5 - Math.atan2(up, Math.hypot(east, north)) / Math.PI) * height;
      grid.nearness[cell] = 1 / range;
      if (batch.colors)
        for (let channel = 0; channel < 3; channel++)
          grid.colors[3 * cell + channel] = batch.colors[3 * k + channel]! >> 8;
      else if (intensities && batch.intensities)
        intensities[cell] = Math.round(((batch.intensities[k]! - minimum) / (maximum - minimum)) * (greyLevels - 1));
    }
  }
  if (!survey.colored) fillGreys(grid, intensities);
  return grid;
}

/**
 * Converts intensities to greys. Percentiles 1 and 99 span the range, because reflectors are far brighter than steel.
 * Fills all cells with one grey if there are no intensities.
 */
function fillGreys({ nearness, colors }: ScanGrid, intensities: Uint16Array | undefined): void {
  if (!intensities) {
    colors.fill(200);
    return;
  }
  const counts = new Uint32Array(greyLevels);
  let total = 0;
  for (const [cell, strength] of intensities.entries()) {
    if (nearness[cell] === 0) continue;
    counts[strength]!++;
    total++;
  }
  const findPercentile = (fraction: number): number => {
    let sum = 0;
    for (const [level, count] of counts.entries()) {
      sum += count;
      if (sum >= fraction * total) return level;
    }
    return greyLevels - 1;
  };
  const [dark, bright] = [findPercentile(0.01), findPercentile(0.99)];
  for (const [cell, strength] of intensities.entries()) {
    const fraction = bright > dark ? Math.min(1, Math.max(0, (strength - dark) / (bright - dark))) : 0.75;
    colors.fill(Math.round(255 * fraction ** 0.7), 3 * cell, 3 * cell + 3);
  }
}
