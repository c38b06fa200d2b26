const maxMetres = 65.535;
/** Nearer points are not surfaces of the plant. */
const minMetres = 0.05;
const radiansPerDegree = Math.PI / 180;

/** The nearest scan point behind each pixel of one panorama, whose projection is equirectangular. */
export class NearestPoints {
  #heading;
  #position;

  constructor({ position, heading, width }) {
    this.#position = position;
    this.#heading = heading * radiansPerDegree;
    this.width = width;
    this.height = width / 2;
    /** Width of a pixel in each row, relative to a pixel at the equator. */
    this.stretches = Float64Array.from({ length: this.height }, (_, row) =>
      Math.cos(Math.PI * (0.5 - (row + 0.5) / this.height)),
    );
    /** Range of each pixel in metres; 0 without a point. */
    this.ranges = new Float32Array(width * this.height);
    /** Spacing of the cloud around the point of each pixel, in metres. */
    this.spacings = new Float32Array(width * this.height);
    /** Offset of the point from the centre of the pixel, in 1/254 of a pixel. */
    this.offsets = new Int8Array(2 * width * this.height);
  }

  /** Adds points in the frame of `position`, three numbers each. `spacings` is the `SpacingGrid` of the cloud. */
  add(points, spacings) {
    const { width, height } = this;
    const [x, y, z] = this.#position;
    for (let at = 0; at < points.length; at += 3) {
      const [east, north, up] = [points[at] - x, points[at + 1] - y, points[at + 2] - z];
      const range = Math.sqrt(east * east + north * north + up * up);
      if (!(range >= minMetres && range <= maxMetres)) continue;
      const turn = (Math.atan2(east, north) - this.#heading) / (2 * Math.PI) + 0.5;
      const across = (turn - Math.floor(turn)) * width;
      const down = (0.5 - Math.asin(Math.max(-1, Math.min(1, up / range))) / Math.PI) * height;
      const column = Math.min(width - 1, Math.floor(across));
      const row = Math.min(height - 1, Math.floor(down));
      const pixel = row * width + column;
      if (this.ranges[pixel] !== 0 && this.ranges[pixel] <= range) continue;
      this.ranges[pixel] = range;
      this.spacings[pixel] = spacings.findSpacing(points, at);
      this.offsets[2 * pixel] = Math.round((across - column - 0.5) * 254);
      this.offsets[2 * pixel + 1] = Math.round((down - row - 0.5) * 254);
    }
  }
}
