import { clampFov, clampTilt, normalizePan, shortestTurn } from '#core';
import type { PanoramaView } from '#plugins/tour';

interface Turn {
  readonly from: PanoramaView;
  readonly by: PanoramaView;
  readonly to: Partial<PanoramaView>;
  readonly start: number;
  readonly milliseconds: number;
  readonly done: () => void;
}

/** Milliseconds in which a thrown view loses most of its speed. */
const glideMs = 325;
/** Degrees per second below which a thrown view stops. */
const minSpeed = 2;

/** Eases in and out. */
export const ease = (share: number): number => share * share * (3 - 2 * share);

/**
 * The view and its automatic movements: an eased turn, a glide after a throw, or a steady turn while a key is held.
 * Independent of the DOM. Times in milliseconds.
 */
export class ViewMotion {
  view: PanoramaView = { pan: 0, tilt: 0, fov: 75 };
  #turn: Turn | undefined;
  #speed = { pan: 0, tilt: 0 };
  #steady = { pan: 0, tilt: 0, fov: 0 };
  #before: number | undefined;

  get moving(): boolean {
    return (
      this.#turn !== undefined ||
      this.#gliding ||
      this.#steady.pan !== 0 ||
      this.#steady.tilt !== 0 ||
      this.#steady.fov !== 0
    );
  }

  get #gliding(): boolean {
    return this.#speed.pan !== 0 || this.#speed.tilt !== 0;
  }

  set(view: Partial<PanoramaView>): void {
    this.view = {
      pan: normalizePan(view.pan ?? this.view.pan),
      tilt: clampTilt(view.tilt ?? this.view.tilt),
      fov: clampFov(view.fov ?? this.view.fov),
    };
  }

  /** Ends every movement at the current view. */
  stop(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#speed = { pan: 0, tilt: 0 };
    this.#steady = { pan: 0, tilt: 0, fov: 0 };
    turn?.done();
  }

  turnTo(view: Partial<PanoramaView>, milliseconds: number, now: number): Promise<void> {
    this.stop();
    return new Promise((done) => {
      const by = {
        pan: view.pan === undefined ? 0 : shortestTurn(this.view.pan, view.pan),
        tilt: view.tilt === undefined ? 0 : clampTilt(view.tilt) - this.view.tilt,
        fov: view.fov === undefined ? 0 : clampFov(view.fov) - this.view.fov,
      };
      this.#turn = { from: this.view, by, to: view, start: now, milliseconds: Math.max(1, milliseconds), done };
    });
  }

  /** Continues a drag; degrees per second. */
  throwBy(pan: number, tilt: number): void {
    if (Math.hypot(pan, tilt) >= minSpeed) this.#speed = { pan, tilt };
  }

  /** Degrees per second until it is set to zero; `fov` as a share per second. */
  turnSteadily(speed: { readonly pan: number; readonly tilt: number; readonly fov: number }): void {
    if (this.#turn || this.#gliding) this.stop();
    this.#steady = speed;
  }

  /** Advances to `now`. True if the view changed. */
  step(now: number): boolean {
    const seconds = this.moving ? Math.min(100, now - (this.#before ?? now)) / 1000 : 0;
    this.#before = this.moving ? now : undefined;
    const before = this.view;
    if (this.#turn) this.#stepTurn(this.#turn, now);
    else if (this.moving) this.#stepFreely(seconds);
    return this.view.pan !== before.pan || this.view.tilt !== before.tilt || this.view.fov !== before.fov;
  }

  #stepTurn(turn: Turn, now: number): void {
    const share = Math.min(1, Math.max(0, (now - turn.start) / turn.milliseconds));
    const eased = ease(share);
    this.set({
      pan: turn.from.pan + turn.by.pan * eased,
      tilt: turn.from.tilt + turn.by.tilt * eased,
      fov: turn.from.fov + turn.by.fov * eased,
    });
    if (share < 1) return;
    this.set(turn.to);
    this.#turn = undefined;
    turn.done();
  }

  #stepFreely(seconds: number): void {
    const { pan, tilt, fov } = this.view;
    this.set({
      pan: pan + (this.#speed.pan + this.#steady.pan) * seconds,
      tilt: tilt + (this.#speed.tilt + this.#steady.tilt) * seconds,
      fov: fov * Math.exp(this.#steady.fov * seconds),
    });
    const decay = Math.exp((-seconds * 1000) / glideMs);
    this.#speed = { pan: this.#speed.pan * decay, tilt: this.#speed.tilt * decay };
    if (Math.hypot(this.#speed.pan, this.#speed.tilt) < minSpeed) this.#speed = { pan: 0, tilt: 0 };
  }
}
