const cellMetres = 0.25;
const cellsAcross = 2 ** 17;

/** Estimates the spacing of the points of a point cloud in each cell of 0.25 m. */
export class SpacingGrid {
  #counts = new Map();

  /** Counts points, three numbers each, in metres. */
  countPoints(points) {
    for (let at = 0; at < points.length; at += 3) {
      const key = toKey(points, at);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Returns the spacing in metres, as if the points of the cell were spread over a surface through it. */
  findSpacing(points, at) {
    return cellMetres / Math.sqrt(this.#counts.get(toKey(points, at)) ?? 1);
  }
}

const toCell = (value) => Math.floor(value / cellMetres) + cellsAcross / 2;
const toKey = (points, at) =>
  (toCell(points[at]) * cellsAcross + toCell(points[at + 1])) * cellsAcross + toCell(points[at + 2]);
