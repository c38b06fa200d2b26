const cellMetres = 0.25;
const cellsAcross = 2 ** 17;

/** The distance between neighbouring points of a cloud, by cells of 0.25 m. */
export class SpacingGrid {
  #counts = new Map();

  /** Counts points, three numbers each, in metres. */
  count(points) {
    for (let at = 0; at < points.length; at += 3) {
      const key = toKey(points, at);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** Metres, if the points of the cell are spread over a surface through it. */
  find(points, at) {
    return cellMetres / Math.sqrt(this.#counts.get(toKey(points, at)) ?? 1);
  }
}

const toCell = (value) => Math.floor(value / cellMetres) + cellsAcross / 2;
const toKey = (points, at) =>
  (toCell(points[at]) * cellsAcross + toCell(points[at + 1])) * cellsAcross + toCell(points[at + 2]);
