/** Multiples of the point spacing within which a point hides others (`hide`) or joins a surface (`join`). */
const reachFactors = { hide: 2, join: 1.7 };
/** Maximum reach in pixels, for points very near to the camera. Towards the poles, pixels are narrower (`across`). */
const maxReach = { down: 24, across: 64 };
/** A point is behind another one if their ranges differ by this multiple of their distance across the view. */
const gapFactor = 2.1;
const bandRows = 64;
/** Sums of the least squares of a pixel. */
const sumsPerPixel = 11;
/** Number of sides in a bit mask of `toSide`. */
const sideCounts = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/**
 * Computes the range image of the surfaces through the points of a view, in millimetres, 0 if unknown. Points that lie
 * behind others on three of four sides are hidden. A pixel gets the range of the plane through the points around it
 * (least squares of the inverse range, which is linear in the direction) if they agree. Otherwise it gets the range of
 * its own point, or 0.
 *
 * @see Pintus, Gobbetti and Agus, "Real-time rendering of massive unstructured raw point clouds", VAST 2011
 */
export function drawSurfaces(view) {
  const visible = findVisible(view);
  const { width, height } = view;
  const out = new Uint16Array(width * height);
  const band = { sums: new Float64Array(sumsPerPixel * width * bandRows), sides: new Uint8Array(width * bandRows) };
  for (let first = 0; first < height; first += bandRows) {
    const bandEnd = Math.min(height, first + bandRows);
    band.sums.fill(0);
    band.sides.fill(0);
    accumulateSums(view, visible, band, first, bandEnd);
    for (let row = first; row < bandEnd; row++)
      for (let column = 0; column < width; column++) {
        const pixel = row * width + column;
        const ownRange = visible[pixel] ? view.ranges[pixel] : 0;
        out[pixel] = Math.round(1000 * computeRange(band, pixel - first * width, ownRange));
      }
  }
  return out;
}

/** Calls `visit(pixel, across, down)` for the pixels around a point, with their offsets in pixels of the equator. */
function visitAround({ width, offsets, stretches }, row, column, pixels, firstRow, lastRow, visit) {
  const from = row * width + column;
  const [atColumn, atRow] = [column + offsets[2 * from] / 254, row + offsets[2 * from + 1] / 254];
  const down = Math.min(pixels, maxReach.down);
  for (let y = Math.max(firstRow, Math.ceil(atRow - down)); y < Math.min(lastRow, atRow + down + 1e-9); y++) {
    const stretch = stretches[y];
    const half = Math.min(Math.sqrt(Math.max(0, down * down - (y - atRow) ** 2)) / stretch, maxReach.across);
    for (let x = Math.ceil(atColumn - half); x <= atColumn + half; x++) {
      const wrappedX = x < 0 ? x + width : x >= width ? x - width : x;
      visit(y * width + wrappedX, (x - atColumn) * stretch, y - atRow);
    }
  }
}

const toSide = (across, down) => (across < 0 ? 1 : 2) << (down < 0 ? 0 : 2);

/** Returns 1 for each pixel whose point is not hidden, else 0. */
function findVisible(view) {
  const { width, height, ranges, spacings } = view;
  const pixelAngle = (2 * Math.PI) / width;
  const hiddenSides = new Uint8Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const range = ranges[row * width + column];
      if (range === 0) continue;
      const pixels = Math.max(1.5, (reachFactors.hide * spacings[row * width + column]) / (range * pixelAngle));
      visitAround(view, row, column, pixels, 0, height, (pixel, across, down) => {
        const gap = ranges[pixel] - range;
        // Not `hypot`, which takes longer than the rest of the function.
        if (gap > 0 && gap > gapFactor * range * pixelAngle * Math.max(1, Math.sqrt(across * across + down * down)))
          hiddenSides[pixel] |= toSide(-across, -down);
      });
    }
  const visible = new Uint8Array(width * height);
  for (let pixel = 0; pixel < visible.length; pixel++)
    visible[pixel] = ranges[pixel] > 0 && sideCounts[hiddenSides[pixel]] < 3 ? 1 : 0;
  return visible;
}

/** Adds the points to the sums of the least squares of a band of rows. */
function accumulateSums(view, visible, band, firstRow, lastRow) {
  const { width, height, ranges, spacings } = view;
  const pixelAngle = (2 * Math.PI) / width;
  const [from, to] = [Math.max(0, firstRow - maxReach.down - 1), Math.min(height, lastRow + maxReach.down + 1)];
  for (let row = from; row < to; row++)
    for (let column = 0; column < width; column++) {
      const source = row * width + column;
      if (!visible[source]) continue;
      const range = ranges[source];
      const inverse = 1 / range;
      const pixels = Math.max(1.5, (reachFactors.join * spacings[source]) / (range * pixelAngle));
      visitAround(view, row, column, pixels, firstRow, lastRow, (pixel, across, down) => {
        const share = (across * across + down * down) / (pixels * pixels);
        const weight = Math.max(1e-3, (1 - share) ** 2);
        const at = (pixel - firstRow * width) * sumsPerPixel;
        const [u, v] = [-across, -down];
        const total = band.sums;
        total[at] += weight;
        total[at + 1] += weight * u;
        total[at + 2] += weight * v;
        total[at + 3] += weight * u * u;
        total[at + 4] += weight * u * v;
        total[at + 5] += weight * v * v;
        total[at + 6] += weight * inverse;
        total[at + 7] += weight * u * inverse;
        total[at + 8] += weight * v * inverse;
        total[at + 9] += weight * inverse * inverse;
        total[at + 10] += weight * spacings[source];
        band.sides[pixel - firstRow * width] |= toSide(u, v);
      });
    }
}

/** Returns the range of a pixel in metres: of the plane, or else of its own point, or else 0. */
function computeRange(band, pixel, ownRange) {
  const at = pixel * sumsPerPixel;
  const [w, u, v, uu, uv, vv, z, uz, vz, zz, s] = band.sums.subarray(at, at + sumsPerPixel);
  if (w === 0) return ownRange;
  if (sideCounts[band.sides[pixel]] < 3) return ownRange;
  // Relative to the weighted means.
  const [mu, mv, mz] = [u / w, v / w, z / w];
  const [cuu, cuv, cvv] = [uu / w - mu * mu, uv / w - mu * mv, vv / w - mv * mv];
  const [cuz, cvz, czz] = [uz / w - mu * mz, vz / w - mv * mz, zz / w - mz * mz];
  const determinant = cuu * cvv - cuv * cuv;
  if (!(determinant > 1e-3 * cuu * cvv)) return ownRange;
  const across = (cuz * cvv - cvz * cuv) / determinant;
  const down = (cvz * cuu - cuz * cuv) / determinant;
  const inverse = mz - across * mu - down * mv;
  if (!(inverse > 0)) return ownRange;
  const range = 1 / inverse;
  const error = Math.sqrt(Math.max(0, czz - across * cuz - down * cvz)) * range * range;
  const tolerance = (0.5 * s) / w + 0.01;
  if (!(error <= tolerance) || range > 65.535) return ownRange;
  return ownRange > 0 && Math.abs(range - ownRange) > 3 * tolerance ? ownRange : range;
}
