/** A corner of an outline on a picture, as shares or percents of its width and height. */
export type Corner = readonly [x: number, y: number];

export const minCorners = 3;

/** Whether the closed outline neither crosses nor touches itself. False for fewer than three corners. */
export function isSimplePolygon(corners: readonly Corner[]): boolean {
  if (corners.length < minCorners) return false;
  return corners.every((start, index) => {
    const end = cornerAt(corners, index + 1);
    const next = cornerAt(corners, index + 2);
    if (isSame(start, end) || turnsBack(start, end, next)) return false;
    return corners.every((otherStart, otherIndex) => {
      const isNeighbour = Math.min(Math.abs(otherIndex - index), corners.length - Math.abs(otherIndex - index)) <= 1;
      return isNeighbour || !segmentsIntersect(start, end, otherStart, cornerAt(corners, otherIndex + 1));
    });
  });
}

/** The mean of the corners, where the name of an area is drawn. */
export function computeCentre(corners: readonly Corner[]): Corner {
  const sum = (axis: 0 | 1): number => corners.reduce((total, corner) => total + corner[axis], 0);
  return [sum(0) / corners.length, sum(1) / corners.length];
}

const cornerAt = (corners: readonly Corner[], index: number): Corner => corners[index % corners.length]!;
const isSame = (a: Corner, b: Corner): boolean => a[0] === b[0] && a[1] === b[1];

/** Orientation of three points: twice the signed area of their triangle, zero if they are on one line. */
const computeOrientation = (a: Corner, b: Corner, c: Corner): number => {
  const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  return Math.abs(turn) < 1e-12 ? 0 : turn;
};

/** Whether the edge after `b` runs back along the edge before it. */
function turnsBack(a: Corner, b: Corner, c: Corner): boolean {
  const isBack = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0;
  return computeOrientation(a, b, c) === 0 && (isBack || isSame(b, c));
}

const isBetween = (a: Corner, b: Corner, point: Corner): boolean =>
  Math.min(a[0], b[0]) <= point[0] &&
  point[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= point[1] &&
  point[1] <= Math.max(a[1], b[1]);

/** Whether two segments have a common point. */
function segmentsIntersect(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  const [turnC, turnD, turnA, turnB] = [
    computeOrientation(a, b, c),
    computeOrientation(a, b, d),
    computeOrientation(c, d, a),
    computeOrientation(c, d, b),
  ];
  if (turnC * turnD < 0 && turnA * turnB < 0) return true;
  return (
    (turnC === 0 && isBetween(a, b, c)) ||
    (turnD === 0 && isBetween(a, b, d)) ||
    (turnA === 0 && isBetween(c, d, a)) ||
    (turnB === 0 && isBetween(c, d, b))
  );
}
