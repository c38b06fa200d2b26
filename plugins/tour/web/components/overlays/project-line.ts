import type { Point3 } from '#core';

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Number of bisections, by which a segment is clipped with an accuracy of a thousandth of its length. */
const bisectionCount = 10;

/**
 * Projects a line through points of the site to pixels, split into the parts in front of the eye. A segment that ends
 * behind the eye is clipped.
 *
 * @param toPixel returns undefined for a point behind the eye
 */
export function projectLine(
  points: readonly Point3[],
  closed: boolean,
  toPixel: (point: Point3) => Pixel | undefined,
): readonly (readonly Pixel[])[] {
  const path = closed && points[0] ? [...points, points[0]] : points;
  const lines: Pixel[][] = [];
  let line: Pixel[] | undefined;
  let previous: { readonly point: Point3; readonly pixel: Pixel | undefined } | undefined;
  for (const point of path) {
    const pixel = toPixel(point);
    if (pixel && !line) {
      line = previous ? [clipSegment(point, previous.point, pixel, toPixel)] : [];
      lines.push(line);
    }
    if (pixel) line?.push(pixel);
    else if (line && previous?.pixel) {
      line.push(clipSegment(previous.point, point, previous.pixel, toPixel));
      line = undefined;
    }
    previous = { point, pixel };
  }
  return lines;
}

/** Returns the last visible pixel between a point in front of the eye and one behind it. */
function clipSegment(
  visiblePoint: Point3,
  hiddenPoint: Point3,
  pixel: Pixel,
  toPixel: (point: Point3) => Pixel | undefined,
): Pixel {
  let [visibleFraction, hiddenFraction] = [0, 1];
  let lastPixel = pixel;
  for (let k = 0; k < bisectionCount; k += 1) {
    const middleFraction = (visibleFraction + hiddenFraction) / 2;
    const middlePixel = toPixel([
      visiblePoint[0] + (hiddenPoint[0] - visiblePoint[0]) * middleFraction,
      visiblePoint[1] + (hiddenPoint[1] - visiblePoint[1]) * middleFraction,
      visiblePoint[2] + (hiddenPoint[2] - visiblePoint[2]) * middleFraction,
    ]);
    if (middlePixel) [visibleFraction, lastPixel] = [middleFraction, middlePixel];
    else hiddenFraction = middleFraction;
  }
  return lastPixel;
}
