import type { Point } from '../../cli/demo/plant/types.ts';
import { add, addScaled, cross, toDirection, dot, normalise, scale, subtract } from '../../cli/demo/plant/vector.ts';

export interface CameraPose {
  /** Metres of the site frame. */
  readonly eye: Point;
  /** Angles in degrees. `fov` is vertical. */
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/**
 * Converts between pixels, directions and points, independently of the viewers' code, so that it can reveal their
 * errors.
 */
export class CameraView {
  readonly #eye: Point;
  readonly #forward: Point;
  readonly #right: Point;
  readonly #up: Point;
  readonly #size: PageSize;
  /** Focal length in pixels. */
  readonly #focalPx: number;

  constructor({ eye, pan, tilt, fov }: CameraPose, size: PageSize) {
    this.#eye = eye;
    this.#forward = toDirection(pan, tilt);
    this.#right = normalise(cross(this.#forward, [0, 0, 1]));
    this.#up = cross(this.#right, this.#forward);
    this.#size = size;
    this.#focalPx = size.height / 2 / Math.tan((fov * Math.PI) / 360);
  }

  /** Computes the pixel of a point in front of the eye, without rounding. */
  toPixel(point: Point): Pixel {
    const offset = subtract(point, this.#eye);
    const depth = dot(offset, this.#forward);
    return {
      x: this.#size.width / 2 + (this.#focalPx * dot(offset, this.#right)) / depth,
      y: this.#size.height / 2 - (this.#focalPx * dot(offset, this.#up)) / depth,
    };
  }

  /** Computes the direction of a pixel as a unit vector. */
  computeRay({ x, y }: Pixel): Point {
    return normalise(
      add(
        addScaled(this.#forward, this.#right, (x - this.#size.width / 2) / this.#focalPx),
        scale(this.#up, (this.#size.height / 2 - y) / this.#focalPx),
      ),
    );
  }
}
