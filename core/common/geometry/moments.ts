import { computeEigen, type Eigen3 } from './symmetric-eigen.ts';

/** Sums over points or directions, from which the axes are found along which they spread. */
export class Moments {
  /** Of the weights. */
  n = 0;
  #x = 0;
  #y = 0;
  #z = 0;
  #xx = 0;
  #xy = 0;
  #xz = 0;
  #yy = 0;
  #yz = 0;
  #zz = 0;

  /** Points far from the origin lose digits: add them relative to one near by. */
  add(x: number, y: number, z: number, weight = 1): void {
    this.n += weight;
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

  /** Of the sums of squares about the mean: the first vector is the normal of the plane that fits best. */
  aboutMean(): Eigen3 {
    const [x, y, z] = [this.#x / this.n, this.#y / this.n, this.#z / this.n];
    return computeEigen([
      this.#xx - this.#x * x,
      this.#xy - this.#x * y,
      this.#xz - this.#x * z,
      this.#yy - this.#y * y,
      this.#yz - this.#y * z,
      this.#zz - this.#z * z,
    ]);
  }

  /** Of the sums of squares about the origin: the first vector is at right angles to most of the directions. */
  aboutOrigin(): Eigen3 {
    return computeEigen([this.#xx, this.#xy, this.#xz, this.#yy, this.#yz, this.#zz]);
  }
}
