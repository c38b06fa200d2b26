import type { MovingDetail } from '#plugins/tour';

/** Duration of a frame on the graphics card above which the next frames are coarse, milliseconds. */
const slowFrameMs = 50;
/** Milliseconds of rest until full detail is drawn. */
const restMs = 160;

/**
 * Sets a fence after each frame and checks later whether the card has passed it. The interval between frames is no
 * measure: a pausing hand also delays frames, and a busy card delays the browser's next frame without a reason.
 */
export class GpuLoadMonitor implements MovingDetail {
  readonly #rested: () => void;
  #coarse = false;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #watch: { readonly timer: ReturnType<typeof setTimeout>; readonly forget: () => void } | undefined;

  constructor(rested: () => void) {
    this.#rested = rested;
  }

  get coarse(): boolean {
    return this.#coarse;
  }

  frameRequested(): void {
    clearTimeout(this.#restTimer);
  }

  drawn(card: WebGL2RenderingContext): void {
    if (this.#coarse) {
      clearTimeout(this.#restTimer);
      this.#restTimer = setTimeout(() => {
        this.#coarse = false;
        this.#rested();
      }, restMs);
      return;
    }
    if (this.#watch !== undefined) return;
    const fence = card.fenceSync(card.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    card.flush();
    const look = (): void => {
      this.#coarse = !card.isContextLost() && card.getSyncParameter(fence, card.SYNC_STATUS) !== card.SIGNALED;
      this.#endWatch();
    };
    this.#watch = { timer: setTimeout(look, slowFrameMs), forget: () => card.deleteSync(fence) };
  }

  end(): void {
    clearTimeout(this.#restTimer);
    this.#endWatch();
  }

  #endWatch(): void {
    clearTimeout(this.#watch?.timer);
    this.#watch?.forget();
    this.#watch = undefined;
  }
}
