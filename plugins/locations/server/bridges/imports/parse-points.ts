import type { Rule, ValidationError } from '#core';
import { isSimplePolygon, maxCorners } from '../../../common/polygon.ts';
import type { Corner } from '../../../contract/index.ts';

const pointPattern = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/;

/** Corners from percents such as `10,20; 35.5,20; 35.5,60`. Undefined if a point is malformed. */
export function parsePoints(text: string): readonly Corner[] | undefined {
  const corners: Corner[] = [];
  for (const point of text.split(';').filter((part) => part.trim() !== '')) {
    const [, x, y] = pointPattern.exec(point.trim()) ?? [];
    if (x === undefined || y === undefined) return undefined;
    corners.push([toFraction(x), toFraction(y)]);
  }
  const [first, last] = [corners[0], corners.at(-1)];
  // Some programs repeat the first point to close an outline.
  return corners.length > 3 && first && last && first[0] === last[0] && first[1] === last[1]
    ? corners.slice(0, -1)
    : corners;
}

/** Without the digits that a division adds. */
const toFraction = (percent: string): number => Number((Number(percent) / 100).toFixed(8));

const error = (message: `locations.refused.${string}`, values?: ValidationError['values']): ValidationError => ({
  message,
  ...(values ? { values } : {}),
});

/** The rule of a cell with the outline of a map hotspot. */
export const outline: Rule = (value) => {
  const corners = parsePoints(String(value));
  if (!corners) return error('locations.refused.points');
  if (corners.flat().some((share) => share < 0 || share > 1))
    return error('locations.refused.pointRange', { min: 0, max: 100 });
  if (corners.length > maxCorners) return error('locations.refused.tooManyPoints', { max: maxCorners });
  return isSimplePolygon(corners) ? undefined : error('locations.refused.polygon');
};
