import { clamp, clampFov, directionOf, distanceOf, minus, normalizePan, plus, shortestTurn, times, unitOf, type Point3 } from '#core';
import type { CloudView } from '../cloud/cloud-camera.ts';

/** While keys are held: metres a second ahead (level), to the right and up; degrees a second; `zoom` a factor a second, as a power of e. */
export interface HeldMotion {
  readonly ahead: number;
  readonly right: number;
  readonly up: number;
  readonly pan: number;
  readonly tilt: number;
  readonly zoom: number;
}

interface Glide {
  readonly from: CloudView;
  readonly to: CloudView;
  readonly start: number;
}

const still: HeldMotion = { ahead: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
const glideMilliseconds = 350;
/** A frame that took longer moves no further than this, seconds: a pause throws nobody through a wall. */
const longestStep = 0.1;
/** Straight up and down there is no ahead. */
const steepest = 89.9;

/** Moves an eye through a cloud: by hand, steadily while keys are held, and in short glides. Knows nothing of pictures. */
export class FreeWalk {
  view: CloudView;
  #held = still;
  #glide: Glide | undefined;
  #last: number | undefined;

  constructor(view: CloudView) {
    this.view = view;
  }

  /** At once; ends a glide. */
  set(view: Partial<CloudView>): void {
    this.#glide = undefined;
    this.#put(view);
  }

  /** Degrees. */
  turn(pan: number, tilt: number): void {
    this.set({ pan: this.view.pan + pan, tilt: this.view.tilt + tilt });
  }

  /** Along the line of sight, or towards a point, which stays ahead of the eye. Metres. */
  advance(metres: number, towards?: Point3): void {
    const { position, pan, tilt } = this.view;
    const away = towards ? distanceOf(towards, position) : 0;
    const way = towards && away > 1e-6 ? unitOf(minus(towards, position)) : directionOf(pan, tilt);
    const most = away > 1e-6 ? Math.max(0, away - 0.1) : Infinity;
    this.set({ position: plus(position, times(way, Math.min(metres, most))) });
  }

  /** In the plane of the picture. Metres. */
  slide(right: number, up: number): void {
    const { position, pan, tilt } = this.view;
    this.set({ position: plus(plus(position, times(directionOf(pan + 90, 0), right)), times(directionOf(pan, tilt + 90), up)) });
  }

  hold(motion: Partial<HeldMotion>): void {
    this.#held = { ...still, ...motion };
    if (this.#isHeld) this.#glide = undefined;
  }

  /** Eased; at once where motion is not wanted. */
  glideTo(view: Partial<CloudView>, now: number, reduced: boolean): void {
    if (reduced) return this.set(view);
    this.#glide = { from: this.view, to: { ...this.view, ...view }, start: now };
  }

  get moving(): boolean {
    return this.#glide !== undefined || this.#isHeld;
  }

  /** To the time `now`, milliseconds. */
  step(now: number): void {
    const seconds = Math.min(longestStep, (now - (this.#last ?? now)) / 1000);
    this.#last = this.moving ? now : undefined;
    if (this.#glide) return this.#glideOn(this.#glide, now);
    if (!this.#isHeld || seconds <= 0) return;
    const { ahead, right, up, pan, tilt, zoom } = this.#held;
    const { view } = this;
    const turned = view.pan + pan * seconds;
    const [x, y, z] = plus(plus(view.position, times(directionOf(turned, 0), ahead * seconds)), times(directionOf(turned + 90, 0), right * seconds));
    this.#put({ position: [x, y, z + up * seconds], pan: turned, tilt: view.tilt + tilt * seconds, fov: view.fov * Math.exp(zoom * seconds) });
  }

  get #isHeld(): boolean {
    return Object.values(this.#held).some((value) => value !== 0);
  }

  #glideOn({ from, to, start }: Glide, now: number): void {
    const share = clamp((now - start) / glideMilliseconds, 0, 1);
    const eased = 1 - (1 - share) ** 3;
    this.#put({
      position: plus(from.position, times(minus(to.position, from.position), eased)),
      pan: from.pan + shortestTurn(from.pan, to.pan) * eased,
      tilt: from.tilt + (to.tilt - from.tilt) * eased,
      fov: from.fov + (to.fov - from.fov) * eased,
    });
    if (share >= 1) this.#glide = undefined;
  }

  #put(view: Partial<CloudView>): void {
    const { position, pan, tilt, fov } = { ...this.view, ...view };
    this.view = { position, pan: normalizePan(pan), tilt: clamp(tilt, -steepest, steepest), fov: clampFov(fov) };
  }
}
