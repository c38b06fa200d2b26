import { clamp, clampFov, clampTilt, directionOf, distanceOf, normalizePan, panTiltOf, radians, shortestTurn, type Point3 } from '#core';

export type MotionMode = 'walk' | 'orbit';

/** Where one is and where one looks: metres and degrees in the site frame. */
export interface EyeState {
  readonly position: Point3;
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

/** Metres a second along each axis, degrees a second. */
export interface SteadyMotion {
  readonly forward: number;
  readonly right: number;
  readonly up: number;
  readonly pan: number;
  readonly tilt: number;
  /** Factor a second, as a power of e. */
  readonly zoom: number;
}

const standing: SteadyMotion = { forward: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
const flightMilliseconds = 700;
/** A frame that took longer moves no further than this: nobody is thrown through a wall by a pause. */
const longestStep = 0.1;

interface Flight {
  readonly from: EyeState;
  readonly to: EyeState;
  readonly start: number;
}

/** Moves the eye: by hand, steadily while keys are held, and in flights. Knows nothing of pictures. */
export class ModelMotion {
  state: EyeState = { position: [0, 0, 0], pan: 0, tilt: 0, fov: 75 };
  mode: MotionMode = 'walk';
  /** What orbit turns about. */
  target: Point3 = [0, 10, 0];
  #steady = standing;
  #flight: Flight | undefined;
  #last: number | undefined;

  /** Ends a flight. */
  set(state: Partial<EyeState>): void {
    this.#flight = undefined;
    this.#put(state);
  }

  /** Turns the head (walk) or goes round the target (orbit). Degrees. */
  turn(pan: number, tilt: number): void {
    const { position } = this.state;
    const turned = { pan: this.state.pan + pan, tilt: clamp(this.state.tilt + tilt, -89.9, 89.9) };
    if (this.mode === 'walk') return this.set(turned);
    const away = distanceOf(position, this.target);
    const [x, y, z] = directionOf(turned.pan, turned.tilt);
    this.set({ ...turned, position: [this.target[0] - x * away, this.target[1] - y * away, this.target[2] - z * away] });
  }

  /** Along the direction of view, or towards a point (`towards`, which stays before the eye). Metres. */
  advance(metres: number, towards?: Point3): void {
    const { position, pan, tilt } = this.state;
    const way = towards ? unit(minus(towards, position)) : directionOf(pan, tilt);
    this.set({ position: plus(position, way, metres) });
  }

  /** In the plane of the picture. Metres. */
  slide(right: number, up: number): void {
    const { position, pan, tilt } = this.state;
    const side = directionOf(pan + 90, 0);
    const above = directionOf(pan, tilt + 90);
    this.set({ position: plus(plus(position, side, right), above, up) });
    this.target = plus(plus(this.target, side, right), above, up);
  }

  /** While keys are held. Forward is level: one walks, whatever one looks at. */
  moveSteadily(motion: Partial<SteadyMotion>): void {
    this.#steady = { ...standing, ...motion };
    if (this.moving) this.#flight = undefined;
  }

  /** Eased; at once with reduced motion. */
  flyTo(to: Partial<EyeState>, now: number, reduced: boolean): void {
    const goal = { ...this.state, ...to };
    if (reduced) return this.set(goal);
    this.#flight = { from: this.state, to: goal, start: now };
  }

  get moving(): boolean {
    return this.#flight !== undefined || Object.values(this.#steady).some((value) => value !== 0);
  }

  /** To the time `now`, milliseconds. */
  step(now: number): void {
    const seconds = Math.min(longestStep, (now - (this.#last ?? now)) / 1000);
    this.#last = this.moving ? now : undefined;
    if (this.#flight) return this.#fly(this.#flight, now);
    const { forward, right, up, pan, tilt, zoom } = this.#steady;
    if (!this.moving || seconds <= 0) return;
    if (pan !== 0 || tilt !== 0) this.turn(pan * seconds, tilt * seconds);
    const ahead = directionOf(this.state.pan, 0);
    const side = directionOf(this.state.pan + 90, 0);
    const position = plus(plus(this.state.position, ahead, forward * seconds), side, right * seconds);
    this.#put({ position: [position[0], position[1], position[2] + up * seconds], fov: this.state.fov * Math.exp(zoom * seconds) });
  }

  #fly({ from, to, start }: Flight, now: number): void {
    const share = clamp((now - start) / flightMilliseconds, 0, 1);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2;
    const between = (a: number, b: number): number => a + (b - a) * eased;
    this.#put({
      position: [between(from.position[0], to.position[0]), between(from.position[1], to.position[1]), between(from.position[2], to.position[2])],
      pan: from.pan + shortestTurn(from.pan, to.pan) * eased,
      tilt: between(from.tilt, to.tilt),
      fov: between(from.fov, to.fov),
    });
    if (share >= 1) this.#flight = undefined;
  }

  #put(state: Partial<EyeState>): void {
    const { position, pan, tilt, fov } = { ...this.state, ...state };
    this.state = { position, pan: normalizePan(pan), tilt: clampTilt(tilt), fov: clampFov(fov) };
  }
}

/** Where the eye stands to see a ball whole, looking as it does now, but not from below the floor. */
export function eyeFor(centre: Point3, radius: number, { pan, tilt, fov }: EyeState, aspect: number): Pick<EyeState, 'position' | 'pan' | 'tilt'> {
  const down = clamp(tilt, -60, -10);
  const half = Math.min(radians(fov) / 2, Math.atan(Math.tan(radians(fov) / 2) * aspect));
  const away = (Math.max(radius, 0.15) / Math.sin(half)) * 1.15;
  return { position: plus(centre, directionOf(pan, down), -away), pan, tilt: down };
}

/** Pan and tilt from one point to another. */
export const lookFrom = (eye: Point3, point: Point3): { readonly pan: number; readonly tilt: number } => panTiltOf(minus(point, eye));

const minus = (a: Point3, b: Point3): Point3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Point3, b: Point3, factor: number): Point3 => [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
function unit(a: Point3): Point3 {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
