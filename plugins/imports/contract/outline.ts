import { isSimplePolygon, type Corner, type Rule, type ValidationError } from '#core';

const pointPattern = /^(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)$/;

/** Corners in percent of a picture, from a text such as `10,20; 35.5,20; 35.5,60`. Undefined if one is malformed. */
export function parseOutline(text: string): readonly Corner[] | undefined {
  const corners: Corner[] = [];
  for (const point of text.split(';').filter((part) => part.trim() !== '')) {
    const [, x, y] = pointPattern.exec(point.trim()) ?? [];
    if (x === undefined || y === undefined) return undefined;
    corners.push([Number(x), Number(y)]);
  }
  const [first, last] = [corners[0], corners.at(-1)];
  // Some programs repeat the first point to close an outline.
  return corners.length > 3 && first && last && first[0] === last[0] && first[1] === last[1]
    ? corners.slice(0, -1)
    : corners;
}

/** Rounded, because a division of floating-point numbers adds digits. */
const toFraction = (percent: number): number => Number((percent / 100).toFixed(8));

const error = (message: `imports.refused.${string}`, values?: ValidationError['values']): ValidationError => ({
  message,
  ...(values ? { values } : {}),
});

/** The rule of a cell with the outline of an area on a picture. */
export const createOutlineRule =
  (maxCorners: number): Rule =>
  (value) => {
    const corners = parseOutline(String(value));
    if (!corners) return error('imports.refused.points');
    if (corners.flat().some((percent) => percent < 0 || percent > 100))
      return error('imports.refused.range', { min: 0, max: 100 });
    if (corners.length > maxCorners) return error('imports.refused.tooManyPoints', { max: maxCorners });
    return isSimplePolygon(corners.map(([x, y]) => [toFraction(x), toFraction(y)]))
      ? undefined
      : error('imports.refused.polygon');
  };
