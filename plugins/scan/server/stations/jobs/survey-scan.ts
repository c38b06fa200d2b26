import { ScanUnreadable } from '../../adapters/scan-unreadable.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import type { E57ScanDescription } from '../../adapters/e57/e57-description.ts';

/** The result of the first reading of a scan, before its panorama is drawn. */
export interface ScanSurvey {
  readonly firstRow: number;
  readonly firstColumn: number;
  readonly rows: number;
  readonly columns: number;
  /** Number of points with a position. */
  readonly points: number;
  readonly intensity: { readonly minimum: number; readonly maximum: number } | undefined;
  readonly colored: boolean;
  /** Width of the equirectangular image in which each point takes about one pixel. */
  readonly width: number;
  /** Distance of two neighbours of the grid in pixels. */
  readonly spacing: number;
}

/** Why a scan creates no station. Its points are in the point cloud in any case. */
export type StationSkipReason = 'UNSTRUCTURED' | 'TOO_FEW';

/** Minimum number of points of a useful image. */
const minPoints = 500;
const minWidth = 1024;
/** Maximum width in pixels. Grids of current scanners are smaller; wider images come from their cameras. */
const maxWidth = 6144;
/** Number of sectors around the scanner that measure its horizontal coverage. A scan has more columns. */
const sectors = 72;

/** Reads all points of a scan and calls `onRead` for each batch. Returns the reason if it cannot be a station. */
export async function surveyScan(
  file: E57File,
  scan: E57ScanDescription,
  onRead: (points: number) => Promise<void>,
): Promise<ScanSurvey | StationSkipReason> {
  const fields = new Set(scan.fields.map(({ name }) => name));
  if (!fields.has('rowIndex') || !fields.has('columnIndex')) return 'UNSTRUCTURED';
  const row = { min: Infinity, max: -Infinity };
  const column = { min: Infinity, max: -Infinity };
  const strength = { minimum: Infinity, maximum: -Infinity };
  const coveredSectors = new Uint8Array(sectors);
  const elevation = { min: Infinity, max: -Infinity };
  let points = 0;
  let colored = false;
  for await (const { count, positions, valid, rows, columns, intensities, colors } of file.readScan(scan)) {
    await onRead(count);
    colored ||= colors !== undefined;
    for (let k = 0; k < count; k++) {
      if (valid[k] === 0 || !rows || !columns) continue;
      const [x, y, z] = [positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!];
      const planar = Math.hypot(x, y);
      if (planar === 0 && z === 0) continue;
      points++;
      row.min = Math.min(row.min, rows[k]!);
      row.max = Math.max(row.max, rows[k]!);
      column.min = Math.min(column.min, columns[k]!);
      column.max = Math.max(column.max, columns[k]!);
      if (planar > 0)
        coveredSectors[Math.min(sectors - 1, Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 0.5) * sectors))] = 1;
      const angle = Math.atan2(z, planar);
      elevation.min = Math.min(elevation.min, angle);
      elevation.max = Math.max(elevation.max, angle);
      if (intensities) {
        strength.minimum = Math.min(strength.minimum, intensities[k]!);
        strength.maximum = Math.max(strength.maximum, intensities[k]!);
      }
    }
  }
  if (points < minPoints) return 'TOO_FEW';
  const rows = row.max - row.min + 1;
  const columns = column.max - column.min + 1;
  if (rows < 2 || columns < 2) return 'UNSTRUCTURED';
  // Rows and columns of a nearly empty grid are not reliable.
  if (!Number.isSafeInteger(rows * columns) || rows * columns > 200 * points + 1_000_000)
    throw new ScanUnreadable('scan.refused.grid', {
      scan: scan.name ?? scan.guid ?? '?',
      rows,
      columns,
      count: points,
    });
  const coverage = coveredSectors.reduce((sum, sector) => sum + sector, 0) / sectors;
  const pixels = Math.max(columns / coverage, (rows - 1) / ((elevation.max - elevation.min) / (2 * Math.PI)));
  const width = 2 * Math.round(Math.min(maxWidth, Math.max(minWidth, Number.isFinite(pixels) ? pixels : minWidth)) / 2);
  return {
    firstRow: row.min,
    firstColumn: column.min,
    rows,
    columns,
    points,
    intensity: strength.maximum > strength.minimum ? strength : undefined,
    colored,
    width,
    spacing: Number.isFinite(pixels) ? width / pixels : 1,
  };
}
