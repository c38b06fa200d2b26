import { clamp, clampFov, clampTilt, normalizePan, computeShortestTurn } from '#core';
import type { PanoramaView } from '#plugins/tour';

interface EasedTurn {
  readonly from: PanoramaView;
  readonly change: PanoramaView;
  readonly to: Partial<PanoramaView>;
  readonly start: number;
  readonly milliseconds: number;
  readonly onEnd: () => void;
}

/** Milliseconds in which a flung view loses most of its speed. */
const glideMs = 325;
/** Degrees per second below which a flung view stops. */
const minSpeed = 2;

/** Maximum time step, so that a long frame does not turn the view far. */
const maxStepMs = 100;

/** Eases a fraction in and out. */
export const ease = (fraction: number): number => fraction * fraction * (3 - 2 * fraction);

/**
 * The view and its automatic movements: an eased turn, a glide after a fling, or a steady turn while a key is held.
 * Independent of the DOM. Times are in milliseconds.
 */
export class ViewMotion {
  view: PanoramaView = { pan: 0, tilt: 0, fov: 75 };
  #turn: EasedTurn | undefined;
  #glideSpeed = { pan: 0, tilt: 0 };
  #steadySpeed = { pan: 0, tilt: 0, fov: 0 };
  #previousTime: number | undefined;

  get moving(): boolean {
    return (
      this.#turn !== undefined ||
      this.#isGliding ||
      this.#steadySpeed.pan !== 0 ||
      this.#steadySpeed.tilt !== 0 ||
      this.#steadySpeed.fov !== 0
    );
  }

  get #isGliding(): boolean {
    return this.#glideSpeed.pan !== 0 || this.#glideSpeed.tilt !== 0;
  }

  set(view: Partial<PanoramaView>): void {
    this.view = {
      pan: normalizePan(view.pan ?? this.view.pan),
      tilt: clampTilt(view.tilt ?? this.view.tilt),
      fov: clampFov(view.fov ?? this.view.fov),
    };
  }

  /** Ends all movements at the current view. */
  stop(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#glideSpeed = { pan: 0, tilt: 0 };
    this.#steadySpeed = { pan: 0, tilt: 0, fov: 0 };
    turn?.onEnd();
  }

  turnTo(view: Partial<PanoramaView>, milliseconds: number, now: number): Promise<void> {
    this.stop();
    return new Promise((onEnd) => {
      const change = {
        pan: view.pan === undefined ? 0 : computeShortestTurn(this.view.pan, view.pan),
        tilt: view.tilt === undefined ? 0 : clampTilt(view.tilt) - this.view.tilt,
        fov: view.fov === undefined ? 0 : clampFov(view.fov) - this.view.fov,
      };
      this.#turn = { from: this.view, change, to: view, start: now, milliseconds: Math.max(1, milliseconds), onEnd };
    });
  }

  /** Continues a drag with a speed in degrees per second. */
  glide(pan: number, tilt: number): void {
    if (Math.hypot(pan, tilt) >= minSpeed) this.#glideSpeed = { pan, tilt };
  }

  /**
   * Turns steadily from `now` until the speed is set to zero. A speed other than zero ends other movements. `pan` and
   * `tilt` are degrees per second, `fov` is a fraction per second.
   */
  turnSteadily(speed: { readonly pan: number; readonly tilt: number; readonly fov: number }, now: number): void {
    // A key may be pressed and released between two frames.
    this.step(now);
    if (Object.values(speed).some((value) => value !== 0) && (this.#turn || this.#isGliding)) this.stop();
    this.#steadySpeed = speed;
    this.#previousTime = this.moving ? now : undefined;
  }

  /** Advances to `now`. Returns true if the view changed. */
  step(now: number): boolean {
    // `now` is the start time of the frame, which may be before the last input.
    const seconds = this.moving ? clamp(now - (this.#previousTime ?? now), 0, maxStepMs) / 1000 : 0;
    this.#previousTime = this.moving ? now : undefined;
    const previousView = this.view;
    if (this.#turn) this.#stepTurn(this.#turn, now);
    else if (this.moving) this.#stepFreely(seconds);
    return (
      this.view.pan !== previousView.pan || this.view.tilt !== previousView.tilt || this.view.fov !== previousView.fov
    );
  }

  #stepTurn(turn: EasedTurn, now: number): void {
    const fraction = Math.min(1, Math.max(0, (now - turn.start) / turn.milliseconds));
    const easedFraction = ease(fraction);
    this.set({
      pan: turn.from.pan + turn.change.pan * easedFraction,
      tilt: turn.from.tilt + turn.change.tilt * easedFraction,
      fov: turn.from.fov + turn.change.fov * easedFraction,
    });
    if (fraction < 1) return;
    this.set(turn.to);
    this.#turn = undefined;
    turn.onEnd();
  }

  #stepFreely(seconds: number): void {
    const { pan, tilt, fov } = this.view;
    this.set({
      pan: pan + (this.#glideSpeed.pan + this.#steadySpeed.pan) * seconds,
      tilt: tilt + (this.#glideSpeed.tilt + this.#steadySpeed.tilt) * seconds,
      fov: fov * Math.exp(this.#steadySpeed.fov * seconds),
    });
    const decay = Math.exp((-seconds * 1000) / glideMs);
    this.#glideSpeed = { pan: this.#glideSpeed.pan * decay, tilt: this.#glideSpeed.tilt * decay };
    if (Math.hypot(this.#glideSpeed.pan, this.#glideSpeed.tilt) < minSpeed) this.#glideSpeed = { pan: 0, tilt: 0 };
  }
}
