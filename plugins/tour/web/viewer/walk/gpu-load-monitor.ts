import type { MovingDetail } from '#plugins/tour';

/** A frame that the graphics card works on for longer makes the next ones coarse. Milliseconds. */
const slowFrame = 50;
/** Milliseconds of rest after which all is drawn. */
const rest = 160;

/**
 * Sets a fence behind a whole frame and looks after a while whether the card has come past it. The time between frames
 * would not tell: a hand that pauses has slow frames too, and where the card is behind, the browser asks for the next
 * frame late without saying why.
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

  asked(): void {
    clearTimeout(this.#restTimer);
  }

  drawn(card: WebGL2RenderingContext): void {
    if (this.#coarse) {
      clearTimeout(this.#restTimer);
      this.#restTimer = setTimeout(() => {
        this.#coarse = false;
        this.#rested();
      }, rest);
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
    this.#watch = { timer: setTimeout(look, slowFrame), forget: () => card.deleteSync(fence) };
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
