import type { Point3 } from '#core';

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Bisections of a segment: the cut is accurate to a thousandth of its length. */
const bisections = 10;

/**
 * Projects a line through points of the site to pixels, split into the parts in front of the eye. A segment that ends
 * behind the eye is clipped.
 *
 * @param toPixel undefined for a point behind the eye
 */
export function projectLine(
  points: readonly Point3[],
  closed: boolean,
  toPixel: (point: Point3) => Pixel | undefined,
): readonly (readonly Pixel[])[] {
  const path = closed && points[0] ? [...points, points[0]] : points;
  const lines: Pixel[][] = [];
  let line: Pixel[] | undefined;
  let before: { readonly point: Point3; readonly pixel: Pixel | undefined } | undefined;
  for (const point of path) {
    const pixel = toPixel(point);
    if (pixel && !line) {
      line = before ? [cut(point, before.point, pixel, toPixel)] : [];
      lines.push(line);
    }
    if (pixel) line?.push(pixel);
    else if (line && before?.pixel) {
      line.push(cut(before.point, point, before.pixel, toPixel));
      line = undefined;
    }
    before = { point, pixel };
  }
  return lines;
}

/** The last visible pixel between a point in front of the eye and one behind it. */
function cut(seen: Point3, hidden: Point3, pixel: Pixel, toPixel: (point: Point3) => Pixel | undefined): Pixel {
  let [near, far] = [0, 1];
  let last = pixel;
  for (let k = 0; k < bisections; k += 1) {
    const middle = (near + far) / 2;
    const found = toPixel([
      seen[0] + (hidden[0] - seen[0]) * middle,
      seen[1] + (hidden[1] - seen[1]) * middle,
      seen[2] + (hidden[2] - seen[2]) * middle,
    ]);
    if (found) [near, last] = [middle, found];
    else far = middle;
  }
  return last;
}
