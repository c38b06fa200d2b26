/** Min x, y, z, then max x, y, z, in the model's frame (metres, z up). */
export type ObjectBox = readonly [number, number, number, number, number, number];

/** Returns the smallest box that contains both. */
export const joinBoxes = (a: ObjectBox | undefined, b: ObjectBox | undefined): ObjectBox | undefined =>
  a === undefined || b === undefined
    ? (a ?? b)
    : [
        Math.min(a[0], b[0]),
        Math.min(a[1], b[1]),
        Math.min(a[2], b[2]),
        Math.max(a[3], b[3]),
        Math.max(a[4], b[4]),
        Math.max(a[5], b[5]),
      ];

/** Expands the box of each parent by the boxes of its children. Parents come before their children. */
export function addChildBoxes<Row extends { readonly parent: number | undefined; box: ObjectBox | undefined }>(
  rows: readonly Row[],
): void {
  for (const { parent, box } of rows.toReversed()) {
    const parentRow = parent === undefined ? undefined : rows[parent];
    if (parentRow) parentRow.box = joinBoxes(parentRow.box, box);
  }
}

/** A column-major 4 x 4 matrix, as in glTF. */
export type Matrix = readonly number[];
export const identityMatrix: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export interface GlbTransform {
  readonly matrix?: Matrix;
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
}

/**
 * Computes the matrix from a node's frame to the scene's frame.
 *
 * @see glTF 2.0, 3.5.3 (transformations)
 */
export function toWorldMatrix(parent: Matrix, node: GlbTransform): Matrix {
  const local = node.matrix ?? composeMatrix(node);
  return Array.from({ length: 16 }, (_, index) => {
    const [row, column] = [index % 4, Math.floor(index / 4) * 4];
    return [0, 1, 2, 3].reduce((sum, term) => sum + parent[row + 4 * term]! * local[column + term]!, 0);
  });
}

function composeMatrix({ translation, rotation, scale }: GlbTransform): Matrix {
  const [x = 0, y = 0, z = 0, w = 1] = rotation ?? [];
  const [sx = 1, sy = 1, sz = 1] = scale ?? [];
  const [tx = 0, ty = 0, tz = 0] = translation ?? [];
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)].map((value) => value * sx),
    0,
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)].map((value) => value * sy),
    0,
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)].map((value) => value * sz),
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

/** Converts a box in a glTF node's frame (y up) to the model's frame (z up). */
export function toModelBox(matrix: Matrix, min: readonly number[], max: readonly number[]): ObjectBox | undefined {
  const corners = Array.from({ length: 8 }, (_, corner) =>
    [0, 1, 2].map((axis) => (corner & (1 << axis) ? max : min)[axis] ?? Number.NaN),
  );
  const boxes = corners.map(([x, y, z]): ObjectBox => {
    const [east = 0, up = 0, south = 0] = [0, 1, 2].map(
      (row) => matrix[row]! * x! + matrix[row + 4]! * y! + matrix[row + 8]! * z! + matrix[row + 12]!,
    );
    return [east, -south, up, east, -south, up];
  });
  const box = boxes.reduce<ObjectBox | undefined>(joinBoxes, undefined);
  return box?.every(Number.isFinite) ? box : undefined;
}
