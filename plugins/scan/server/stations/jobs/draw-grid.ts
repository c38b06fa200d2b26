import type { ScanGrid } from './read-grid.ts';
import type { ScanSurvey } from './survey-scan.ts';

/** An equirectangular image of what a scanner measured. */
export interface DrawnScan {
  readonly width: number;
  readonly height: number;
  /** Millimetres at the centre of each pixel; 0 without a return or beyond 65.535 m. */
  readonly ranges: Uint16Array;
  /** Red, green, blue of each pixel. */
  readonly colors: Uint8Array;
  /** 1 if the pixel shows a point. */
  readonly seen: Uint8Array;
  /** Points that are visible but beyond the maximum range. */
  readonly beyond: number;
}

/** Neighbours of the grid are joined up to this distance in pixels, and up to this multiple of their usual distance. */
const minReach = 8;
const reachOfSpacing = 3;
/** Neighbours may always differ in range by this many metres. Beyond, a surface may be tilted by this tangent. */
const minStep = 0.02;
const maxSlope = 6;
const farthest = 65_535;
const emptyColor = [28, 30, 33] as const;
/** Gaps up to twice this width, in pixels, are filled with the colour of their neighbours. */
const gapWidth = 2;

/**
 * Draws a grid of points. Triangles join neighbours on one surface. The inverse of the range is linear on a plane, so
 * each pixel gets the range at its centre. Isolated points fill one pixel. `spacing`: pixels between neighbours.
 */
export async function drawGrid(
  grid: ScanGrid,
  { width, spacing }: Pick<ScanSurvey, 'width' | 'spacing'>,
  turn: () => Promise<void>,
): Promise<DrawnScan> {
  const { rows, columns, across, down, nearness, colors } = grid;
  const height = width / 2;
  const reach = Math.max(minReach, reachOfSpacing * spacing);
  const drawn = {
    width,
    height,
    ranges: new Uint16Array(width * height),
    colors: new Uint8Array(width * height * 3),
    seen: new Uint8Array(width * height),
  };
  const near = new Float32Array(width * height);
  const put = (pixel: number, value: number, red: number, green: number, blue: number): void => {
    if (value <= near[pixel]!) return;
    near[pixel] = value;
    drawn.seen[pixel] = 1;
    drawn.colors[3 * pixel] = red;
    drawn.colors[3 * pixel + 1] = green;
    drawn.colors[3 * pixel + 2] = blue;
  };

  const triangle = (a: number, b: number, c: number): void => {
    const [na, nb, nc] = [nearness[a]!, nearness[b]!, nearness[c]!];
    if (na === 0 || nb === 0 || nc === 0) return;
    const half = width / 2;
    const xa = across[a]!;
    const unwrapped = (x: number): number => (x - xa > half ? x - width : xa - x > half ? x + width : x);
    const [xb, xc, ya, yb, yc] = [unwrapped(across[b]!), unwrapped(across[c]!), down[a]!, down[b]!, down[c]!];
    const wide = Math.max(xa, xb, xc) - Math.min(xa, xb, xc);
    const high = Math.max(ya, yb, yc) - Math.min(ya, yb, yc);
    if (wide > reach || high > reach) return;
    const [nearest, farEnd] = [1 / Math.max(na, nb, nc), 1 / Math.min(na, nb, nc)];
    const angle = (Math.hypot(wide * Math.sin((Math.PI * (ya + 0.5)) / height), high) * Math.PI) / height;
    if (farEnd - nearest > minStep + maxSlope * angle * nearest) return;
    const area = (xb - xa) * (yc - ya) - (xc - xa) * (yb - ya);
    if (Math.abs(area) < 1e-9) return;
    for (
      let y = Math.max(0, Math.ceil(Math.min(ya, yb, yc) - 0.5));
      y + 0.5 <= Math.max(ya, yb, yc) && y < height;
      y++
    ) {
      for (let x = Math.ceil(Math.min(xa, xb, xc) - 0.5); x + 0.5 <= Math.max(xa, xb, xc); x++) {
        const [px, py] = [x + 0.5, y + 0.5];
        const wb = ((px - xa) * (yc - ya) - (xc - xa) * (py - ya)) / area;
        const wc = ((xb - xa) * (py - ya) - (px - xa) * (yb - ya)) / area;
        const wa = 1 - wb - wc;
        if (wa < -1e-6 || wb < -1e-6 || wc < -1e-6) continue;
        const mixed = (channel: number): number =>
          wa * colors[3 * a + channel]! + wb * colors[3 * b + channel]! + wc * colors[3 * c + channel]!;
        put(y * width + (((x % width) + width) % width), wa * na + wb * nb + wc * nc, mixed(0), mixed(1), mixed(2));
      }
    }
  };

  for (let row = 0; row + 1 < rows; row++) {
    await turn();
    for (let column = 0; column < columns; column++) {
      const next = (column + 1) % columns;
      const [a, b, c, d] = [
        row * columns + column,
        row * columns + next,
        (row + 1) * columns + column,
        (row + 1) * columns + next,
      ];
      if (nearness[a] === 0 || nearness[d] === 0) {
        triangle(a, b, c);
        triangle(b, d, c);
      } else {
        triangle(a, b, d);
        triangle(a, d, c);
      }
    }
  }
  for (let cell = 0; cell < rows * columns; cell++) {
    if (cell % columns === 0) await turn();
    if (nearness[cell] === 0) continue;
    const pixel = Math.min(height - 1, Math.floor(down[cell]!)) * width + (Math.floor(across[cell]!) % width);
    // A triangle is more exact than a single point beside the pixel's centre. Only a point in front of it replaces it.
    if (near[pixel] === 0 || 1 / nearness[cell]! < 0.95 / near[pixel]!)
      put(pixel, nearness[cell]!, colors[3 * cell]!, colors[3 * cell + 1]!, colors[3 * cell + 2]!);
  }

  let beyond = 0;
  for (let pixel = 0; pixel < near.length; pixel++) {
    if (pixel % width === 0) await turn();
    const value = near[pixel]!;
    if (value === 0) continue;
    const millimetres = Math.round(1000 / value);
    if (millimetres > farthest) beyond++;
    else drawn.ranges[pixel] = Math.max(1, millimetres);
  }
  await closeGaps(drawn, turn);
  return { ...drawn, beyond };
}

/**
 * Fills pixels between points with the neighbouring colour, and all other empty pixels with a dark colour. Ranges do
 * not change.
 */
async function closeGaps(
  { width, height, colors, seen }: Omit<DrawnScan, 'beyond'>,
  turn: () => Promise<void>,
): Promise<void> {
  let filled = seen.slice();
  for (let round = 0; round < gapWidth; round++) {
    const before = filled;
    filled = before.slice();
    for (let y = 0; y < height; y++) {
      await turn();
      for (let x = 0; x < width; x++) {
        const pixel = y * width + x;
        if (before[pixel] === 1) continue;
        const [left, right] = [y * width + ((x + width - 1) % width), y * width + ((x + 1) % width)];
        // Pixels outside the image are undefined, and therefore not 1.
        const from =
          before[left] === 1
            ? left
            : before[right] === 1
              ? right
              : before[pixel - width] === 1
                ? pixel - width
                : pixel + width;
        if (before[from] !== 1) continue;
        colors.copyWithin(3 * pixel, 3 * from, 3 * from + 3);
        filled[pixel] = 1;
      }
    }
  }
  for (let pixel = 0; pixel < width * height; pixel++) if (filled[pixel] === 0) colors.set(emptyColor, 3 * pixel);
}
