import {
  clamp,
  clampFov,
  clampTilt,
  toDirection,
  distanceBetween,
  minus,
  normalizePan,
  plus,
  computeShortestTurn,
  times,
  unitVector,
  type Point3,
} from '#core';
import type { CameraView, CameraController, CameraListener, CameraMode } from '#plugins/tour';
import { listenToKeys } from './walk-keys.ts';
import { listenToPointers } from './walk-pointers.ts';

/**
 * Speeds while keys are held. `forward` (horizontal), `right` and `up` are metres per second, `pan` and `tilt` degrees
 * per second. `zoom` is the exponent of the change of the field of view per second.
 */
export interface HeldMotion {
  readonly forward: number;
  readonly right: number;
  readonly up: number;
  readonly pan: number;
  readonly tilt: number;
  readonly zoom: number;
}

interface Flight {
  readonly from: CameraView;
  readonly to: CameraView;
  readonly start: number;
  readonly milliseconds: number;
}

const noMotion: HeldMotion = { forward: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
const turnMilliseconds = 350;
const flightMilliseconds = 700;
/** Maximum time step in seconds, so that a long frame does not move the camera through a wall. */
const maxStepSeconds = 0.1;
/** Maximum tilt of manual turns, degrees. At the zenith there is no forward direction. */
const maxManualTilt = 89.9;
/** Minimum distance to the point that the camera moves towards, metres. */
const minDistanceMetres = 0.1;

/** A camera controller for pointers, keys and eased flights. */
export class EasedCameraController implements CameraController {
  view: CameraView;
  target: Point3;
  #mode: CameraMode = 'walk';
  #heldMotion = noMotion;
  #flight: Flight | undefined;
  #previousTime: number | undefined;

  constructor(view: CameraView) {
    this.view = view;
    this.target = plus(view.position, times(toDirection(view.pan, view.tilt), 10));
  }

  get mode(): CameraMode {
    return this.#mode;
  }

  set mode(mode: CameraMode) {
    this.#mode = mode;
    this.#heldMotion = noMotion;
  }

  set(view: Partial<CameraView>): void {
    const { position, ...direction } = view;
    const flight = this.#flight;
    const isTurn = flight?.from.position === flight?.to.position;
    this.#flight =
      flight && isTurn && position && Object.keys(direction).length === 0
        ? { ...flight, from: { ...flight.from, position }, to: { ...flight.to, position } }
        : undefined;
    this.#applyView(view);
  }

  /** Turns the head, or orbits the target, by degrees. */
  turn(pan: number, tilt: number): void {
    const direction = { pan: this.view.pan + pan, tilt: clamp(this.view.tilt + tilt, -maxManualTilt, maxManualTilt) };
    if (this.mode === 'walk') return this.#setManually(direction);
    const distance = distanceBetween(this.view.position, this.target);
    this.#setManually({
      ...direction,
      position: minus(this.target, times(toDirection(direction.pan, direction.tilt), distance)),
    });
  }

  /** Moves along the line of sight or towards a point, which stays in front of the eye. */
  advance(metres: number, towards?: Point3): void {
    const { position, pan, tilt } = this.view;
    const distance = towards ? distanceBetween(towards, position) : 0;
    const direction = towards && distance > 1e-6 ? unitVector(minus(towards, position)) : toDirection(pan, tilt);
    const limit = distance > 1e-6 ? Math.max(0, distance - minDistanceMetres) : Infinity;
    this.#setManually({ position: plus(position, times(direction, Math.min(metres, limit))) });
  }

  /** Moves eye and target in the plane of the picture, by metres. */
  slide(right: number, up: number): void {
    const { position, pan, tilt } = this.view;
    const offset = plus(times(toDirection(pan + 90, 0), right), times(toDirection(pan, tilt + 90), up));
    this.#setManually({ position: plus(position, offset) });
    this.target = plus(this.target, offset);
  }

  /** Sets the speeds of held keys from `now` on. Ends a flight if a speed is not zero. */
  setHeldMotion(motion: Partial<HeldMotion>, now: number): void {
    // A key may be pressed and released between two frames.
    this.step(now);
    this.#heldMotion = { ...noMotion, ...motion };
    if (this.#isHeld) this.#flight = undefined;
    this.#previousTime = this.moving ? now : undefined;
  }

  flyTo(view: Partial<CameraView>, now: number, reduced: boolean): void {
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
    // `now` is the start time of the frame, which may be before the last input.
    const seconds = clamp((now - (this.#previousTime ?? now)) / 1000, 0, maxStepSeconds);
    this.#previousTime = this.moving ? now : undefined;
    if (this.#flight) return this.#stepFlight(this.#flight, now);
    if (!this.#isHeld || seconds === 0) return;
    const { forward, right, up, pan, tilt, zoom } = this.#heldMotion;
    if (pan !== 0 || tilt !== 0) this.turn(pan * seconds, tilt * seconds);
    const { view } = this;
    const [x, y, z] = plus(
      plus(view.position, times(toDirection(view.pan, 0), forward * seconds)),
      times(toDirection(view.pan + 90, 0), right * seconds),
    );
    this.#applyView({
      position: forward === 0 && right === 0 && up === 0 ? view.position : [x, y, z + up * seconds],
      fov: view.fov * Math.exp(zoom * seconds),
    });
  }

  listen(host: HTMLElement, listener: CameraListener): () => void {
    const disposers = [listenToPointers(host, this, listener), listenToKeys(host, this, listener)];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }

  get #isHeld(): boolean {
    return Object.values(this.#heldMotion).some((value) => value !== 0);
  }

  #stepFlight({ from, to, start, milliseconds }: Flight, now: number): void {
    const fraction = clamp((now - start) / milliseconds, 0, 1);
    const easedFraction = fraction < 0.5 ? 4 * fraction ** 3 : 1 - (-2 * fraction + 2) ** 3 / 2;
    this.#applyView({
      position:
        from.position === to.position
          ? to.position
          : plus(from.position, times(minus(to.position, from.position), easedFraction)),
      pan: from.pan + computeShortestTurn(from.pan, to.pan) * easedFraction,
      tilt: from.tilt + (to.tilt - from.tilt) * easedFraction,
      fov: from.fov + (to.fov - from.fov) * easedFraction,
    });
    if (fraction >= 1) this.#flight = undefined;
  }

  /** Applies a manual change and ends a flight. */
  #setManually(view: Partial<CameraView>): void {
    this.#flight = undefined;
    this.#applyView(view);
  }

  #applyView(view: Partial<CameraView>): void {
    const { position, pan, tilt, fov } = { ...this.view, ...view };
    this.view = { position, pan: normalizePan(pan), tilt: clampTilt(tilt), fov: clampFov(fov) };
  }
}
