import type { ScanGrid } from './read-grid.ts';
import type { ScanSurvey } from './survey-scan.ts';

/** An equirectangular image of the points of a scan. */
export interface ScanImage {
  readonly width: number;
  readonly height: number;
  /** Range at the centre of each pixel in millimetres; 0 without a return or beyond 65.535 m. */
  readonly ranges: Uint16Array;
  /** Red, green, blue of each pixel. */
  readonly colors: Uint8Array;
  /** 1 for each pixel that shows a point, else 0. */
  readonly hasPoint: Uint8Array;
  /** Number of pixels that show a point beyond the maximum range. */
  readonly tooFarPixels: number;
}

/** Neighbours of the grid are joined up to this distance in pixels, or up to this multiple of their usual distance. */
const minReachPx = 8;
const maxReachInSpacings = 3;
/** Neighbours are joined if their ranges differ by at most `minStepMetres` plus the step of the steepest surface. */
const minStepMetres = 0.02;
const maxSlopeTangent = 6;
const maxMillimetres = 65_535;
const emptyColor = [28, 30, 33] as const;
/** Each round fills one pixel at each edge of a gap with the colour of its neighbour. */
const fillRounds = 2;

/**
 * Draws a grid of points. Triangles join neighbours on one surface. The inverse of the range is linear on a plane, so
 * each pixel gets the range at its centre. Isolated points fill one pixel. `spacing` is the distance between neighbours
 * in pixels.
 */
export async function drawGrid(
  grid: ScanGrid,
  { width, spacing }: Pick<ScanSurvey, 'width' | 'spacing'>,
  yieldToEventLoop: () => Promise<void>,
): Promise<ScanImage> {
  const { rows, columns, imageX, imageY, nearness, colors } = grid;
  const height = width / 2;
  const reach = Math.max(minReachPx, maxReachInSpacings * spacing);
  const scanImage = {
    width,
    height,
    ranges: new Uint16Array(width * height),
    colors: new Uint8Array(width * height * 3),
    hasPoint: new Uint8Array(width * height),
  };
  const pixelNearness = new Float32Array(width * height);
  const drawPoint = (pixel: number, pointNearness: number, red: number, green: number, blue: number): void => {
    if (pointNearness <= pixelNearness[pixel]!) return;
    pixelNearness[pixel] = pointNearness;
    scanImage.hasPoint[pixel] = 1;
    scanImage.colors[3 * pixel] = red;
    scanImage.colors[3 * pixel + 1] = green;
    scanImage.colors[3 * pixel + 2] = blue;
  };

  const drawTriangle = (a: number, b: number, c: number): void => {
    const [na, nb, nc] = [nearness[a]!, nearness[b]!, nearness[c]!];
    if (na === 0 || nb === 0 || nc === 0) return;
    const half = width / 2;
    const xa = imageX[a]!;
    const unwrap = (x: number): number => (x - xa > half ? x - width : xa - x > half ? x + width : x);
    const [xb, xc, ya, yb, yc] = [unwrap(imageX[b]!), unwrap(imageX[c]!), imageY[a]!, imageY[b]!, imageY[c]!];
    const spanX = Math.max(xa, xb, xc) - Math.min(xa, xb, xc);
    const spanY = Math.max(ya, yb, yc) - Math.min(ya, yb, yc);
    if (spanX > reach || spanY > reach) return;
    const [nearest, farthest] = [1 / Math.max(na, nb, nc), 1 / Math.min(na, nb, nc)];
    const angle = (Math.hypot(spanX * Math.sin((Math.PI * (ya + 0.5)) / height), spanY) * Math.PI) / height;
    if (farthest - nearest > minStepMetres + maxSlopeTangent * angle * nearest) return;
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
        const mixColor = (channel: number): number =>
          wa * colors[3 * a + channel]! + wb * colors[3 * b + channel]! + wc * colors[3 * c + channel]!;
        drawPoint(
          y * width + (((x % width) + width) % width),
          wa * na + wb * nb + wc * nc,
          mixColor(0),
          mixColor(1),
          mixColor(2),
        );
      }
    }
  };

  for (let row = 0; row + 1 < rows; row++) {
    await yieldToEventLoop();
    for (let column = 0; column < columns; column++) {
      const nextColumn = (column + 1) % columns;
      const [a, b, c, d] = [
        row * columns + column,
        row * columns + nextColumn,
        (row + 1) * columns + column,
        (row + 1) * columns + nextColumn,
      ];
      if (nearness[a] === 0 || nearness[d] === 0) {
        drawTriangle(a, b, c);
        drawTriangle(b, d, c);
      } else {
        drawTriangle(a, b, d);
        drawTriangle(a, d, c);
      }
    }
  }
  for (let cell = 0; cell < rows * columns; cell++) {
    if (cell % columns === 0) await yieldToEventLoop();
    if (nearness[cell] === 0) continue;
    const pixel = Math.min(height - 1, Math.floor(imageY[cell]!)) * width + (Math.floor(imageX[cell]!) % width);
    // A triangle is more exact than a single point next to the pixel's centre, so only a nearer point replaces it.
    if (pixelNearness[pixel] === 0 || 1 / nearness[cell]! < 0.95 / pixelNearness[pixel]!)
      drawPoint(pixel, nearness[cell]!, colors[3 * cell]!, colors[3 * cell + 1]!, colors[3 * cell + 2]!);
  }

  let tooFarPixels = 0;
  for (let pixel = 0; pixel < pixelNearness.length; pixel++) {
    if (pixel % width === 0) await yieldToEventLoop();
    const nearnessOfPixel = pixelNearness[pixel]!;
    if (nearnessOfPixel === 0) continue;
    const millimetres = Math.round(1000 / nearnessOfPixel);
    if (millimetres > maxMillimetres) tooFarPixels++;
    else scanImage.ranges[pixel] = Math.max(1, millimetres);
  }
  await closeGaps(scanImage, yieldToEventLoop);
  return { ...scanImage, tooFarPixels };
}

/**
 * Fills pixels between points with the neighbouring colour, and all other empty pixels with a dark colour. Ranges do
 * not change.
 */
async function closeGaps(
  { width, height, colors, hasPoint }: Omit<ScanImage, 'tooFarPixels'>,
  yieldToEventLoop: () => Promise<void>,
): Promise<void> {
  let filledPixels = hasPoint.slice();
  for (let round = 0; round < fillRounds; round++) {
    const previous = filledPixels;
    filledPixels = previous.slice();
    for (let y = 0; y < height; y++) {
      await yieldToEventLoop();
      for (let x = 0; x < width; x++) {
        const pixel = y * width + x;
        if (previous[pixel] === 1) continue;
        const [left, right] = [y * width + ((x + width - 1) % width), y * width + ((x + 1) % width)];
        // Pixels above and below the image are undefined, and therefore not 1.
        let neighbour = pixel + width;
        if (previous[left] === 1) neighbour = left;
        else if (previous[right] === 1) neighbour = right;
        else if (previous[pixel - width] === 1) neighbour = pixel - width;
        if (previous[neighbour] !== 1) continue;
        colors.copyWithin(3 * pixel, 3 * neighbour, 3 * neighbour + 3);
        filledPixels[pixel] = 1;
      }
    }
  }
  for (let pixel = 0; pixel < width * height; pixel++) if (filledPixels[pixel] === 0) colors.set(emptyColor, 3 * pixel);
}
