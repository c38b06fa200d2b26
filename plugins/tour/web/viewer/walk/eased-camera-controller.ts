import {
  clamp,
  clampFov,
  clampTilt,
  toDirection,
  distanceBetween,
  minus,
  normalizePan,
  plus,
  shortestTurn,
  times,
  unitVector,
  type Point3,
} from '#core';
import type { EyeView, CameraController, WalkListener, WalkMode } from '#plugins/tour';
import { listenToKeys } from './walk-keys.ts';
import { listenToPointers } from './walk-pointers.ts';

/**
 * Speeds while keys are held: metres per second ahead (horizontally), to the right and up; degrees per second; `zoom`
 * as a power of e per second.
 */
export interface HeldMotion {
  readonly ahead: number;
  readonly right: number;
  readonly up: number;
  readonly pan: number;
  readonly tilt: number;
  readonly zoom: number;
}

interface Flight {
  readonly from: EyeView;
  readonly to: EyeView;
  readonly start: number;
  readonly milliseconds: number;
}

const still: HeldMotion = { ahead: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
const turnMilliseconds = 350;
const flightMilliseconds = 700;
/** Maximum time step, seconds: a long frame must not move the camera through a wall. */
const maxStep = 0.1;
/** Maximum tilt by hand, degrees: at the zenith there is no direction ahead. */
const maxSlope = 89.9;
/** Minimum distance to the point that the camera moves towards, metres. */
const minDistance = 0.1;

/** A camera controller for pointers, keys and eased flights. */
export class EasedCameraController implements CameraController {
  view: EyeView;
  target: Point3;
  #mode: WalkMode = 'walk';
  #heldMotion = still;
  #flight: Flight | undefined;
  #last: number | undefined;

  constructor(view: EyeView) {
    this.view = view;
    this.target = plus(view.position, times(toDirection(view.pan, view.tilt), 10));
  }

  get mode(): WalkMode {
    return this.#mode;
  }

  set mode(mode: WalkMode) {
    this.#mode = mode;
    this.#heldMotion = still;
  }

  set(view: Partial<EyeView>): void {
    const { position, ...direction } = view;
    const flight = this.#flight;
    const goesOn =
      flight && position && Object.keys(direction).length === 0 && flight.from.position === flight.to.position;
    this.#flight = goesOn
      ? { ...flight, from: { ...flight.from, position }, to: { ...flight.to, position } }
      : undefined;
    this.#put(view);
  }

  /** Turns the head, or orbits the target. Degrees. */
  turn(pan: number, tilt: number): void {
    const turned = { pan: this.view.pan + pan, tilt: clamp(this.view.tilt + tilt, -maxSlope, maxSlope) };
    if (this.mode === 'walk') return this.#take(turned);
    const away = distanceBetween(this.view.position, this.target);
    this.#take({ ...turned, position: minus(this.target, times(toDirection(turned.pan, turned.tilt), away)) });
  }

  /** Moves along the line of sight or towards a point, which stays in front of the eye. Metres. */
  advance(metres: number, towards?: Point3): void {
    const { position, pan, tilt } = this.view;
    const away = towards ? distanceBetween(towards, position) : 0;
    const heading = towards && away > 1e-6 ? unitVector(minus(towards, position)) : toDirection(pan, tilt);
    const limit = away > 1e-6 ? Math.max(0, away - minDistance) : Infinity;
    this.#take({ position: plus(position, times(heading, Math.min(metres, limit))) });
  }

  /** Moves in the plane of the picture, together with the target. Metres. */
  slide(right: number, up: number): void {
    const { position, pan, tilt } = this.view;
    const offset = plus(times(toDirection(pan + 90, 0), right), times(toDirection(pan, tilt + 90), up));
    this.#take({ position: plus(position, offset) });
    this.target = plus(this.target, offset);
  }

  /** Sets speeds of held keys. Ends a flight if one is not zero. */
  setHeldMotion(motion: Partial<HeldMotion>): void {
    this.#heldMotion = { ...still, ...motion };
    if (this.#isHeld) this.#flight = undefined;
  }

  flyTo(view: Partial<EyeView>, now: number, reduced: boolean): void {
    if (reduced) return this.set(view);
    const to = { ...this.view, ...view };
    this.#flight = {
      from: this.view,
      to,
      start: now,
      milliseconds: distanceBetween(to.position, this.view.position) > 0 ? flightMilliseconds : turnMilliseconds,
    };
  }

  get moving(): boolean {
    return this.#flight !== undefined || this.#isHeld;
  }

  step(now: number): void {
    const seconds = Math.min(maxStep, (now - (this.#last ?? now)) / 1000);
    this.#last = this.moving ? now : undefined;
    if (this.#flight) return this.#fly(this.#flight, now);
    if (!this.#isHeld || seconds <= 0) return;
    const { ahead, right, up, pan, tilt, zoom } = this.#heldMotion;
    if (pan !== 0 || tilt !== 0) this.turn(pan * seconds, tilt * seconds);
    const { view } = this;
    const [x, y, z] = plus(
      plus(view.position, times(toDirection(view.pan, 0), ahead * seconds)),
      times(toDirection(view.pan + 90, 0), right * seconds),
    );
    this.#put({
      position: ahead === 0 && right === 0 && up === 0 ? view.position : [x, y, z + up * seconds],
      fov: view.fov * Math.exp(zoom * seconds),
    });
  }

  listen(host: HTMLElement, listener: WalkListener): () => void {
    const ends = [listenToPointers(host, this, listener), listenToKeys(host, this, listener)];
    return () => {
      for (const end of ends) end();
    };
  }

  get #isHeld(): boolean {
    return Object.values(this.#heldMotion).some((value) => value !== 0);
  }

  #fly({ from, to, start, milliseconds }: Flight, now: number): void {
    const share = clamp((now - start) / milliseconds, 0, 1);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2;
    this.#put({
      position:
        from.position === to.position
          ? to.position
          : plus(from.position, times(minus(to.position, from.position), eased)),
      pan: from.pan + shortestTurn(from.pan, to.pan) * eased,
      tilt: from.tilt + (to.tilt - from.tilt) * eased,
      fov: from.fov + (to.fov - from.fov) * eased,
    });
    if (share >= 1) this.#flight = undefined;
  }

  /** Applies a manual change and ends a flight. */
  #take(view: Partial<EyeView>): void {
    this.#flight = undefined;
    this.#put(view);
  }

  #put(view: Partial<EyeView>): void {
    const { position, pan, tilt, fov } = { ...this.view, ...view };
    this.view = { position, pan: normalizePan(pan), tilt: clampTilt(tilt), fov: clampFov(fov) };
  }
}
