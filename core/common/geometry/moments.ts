import { computeEigen, type Eigen3 } from './symmetric-eigen.ts';

/** Weighted sums over points or directions, from which the principal axes are computed. */
export class Moments {
  /** Sum of the weights. */
  totalWeight = 0;
  #x = 0;
  #y = 0;
  #z = 0;
  #xx = 0;
  #xy = 0;
  #xz = 0;
  #yy = 0;
  #yz = 0;
  #zz = 0;

  /** Points far from the origin lose precision: subtract a nearby point first. */
  add(x: number, y: number, z: number, weight = 1): void {
    this.totalWeight += weight;
    this.#x += weight * x;
    this.#y += weight * y;
    this.#z += weight * z;
    this.#xx += weight * x * x;
    this.#xy += weight * x * y;
    this.#xz += weight * x * z;
    this.#yy += weight * y * y;
    this.#yz += weight * y * z;
    this.#zz += weight * z * z;
  }

  /**
   * Principal axes about the mean, from weighted sums of squares that are not divided by the weight. The first vector
   * is the normal of the best-fitting plane.
   */
  computeAxesAboutMean(): Eigen3 {
    const [x, y, z] = [this.#x / this.totalWeight, this.#y / this.totalWeight, this.#z / this.totalWeight];
    return computeEigen([
      this.#xx - this.#x * x,
      this.#xy - this.#x * y,
      this.#xz - this.#x * z,
      this.#yy - this.#y * y,
      this.#yz - this.#y * z,
      this.#zz - this.#z * z,
    ]);
  }

  /** Principal axes about the origin: the first vector is most nearly perpendicular to all directions. */
  computeAxesAboutOrigin(): Eigen3 {
    return computeEigen([this.#xx, this.#xy, this.#xz, this.#yy, this.#yz, this.#zz]);
  }
}
