import type { MovingDetail } from '#plugins/tour';

/** Duration of a frame on the graphics card above which the next frames are coarse, milliseconds. */
const slowFrameMs = 50;
/** Milliseconds of rest until full detail is drawn. */
const restMs = 160;

/**
 * Sets a fence after each frame, and checks later whether the graphics card has passed the fence. The interval between
 * frames does not show that the card is slow, because frames are also delayed while the pointer rests.
 */
export class GpuLoadMonitor implements MovingDetail {
  readonly #onRest: () => void;
  #coarse = false;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #pendingFence: { readonly timer: ReturnType<typeof setTimeout>; readonly deleteFence: () => void } | undefined;

  constructor(onRest: () => void) {
    this.#onRest = onRest;
  }

  get coarse(): boolean {
    return this.#coarse;
  }

  onFrameRequested(): void {
    clearTimeout(this.#restTimer);
  }

  onFrameDrawn(gl: WebGL2RenderingContext): void {
    if (this.#coarse) {
      clearTimeout(this.#restTimer);
      this.#restTimer = setTimeout(() => {
        this.#coarse = false;
        this.#onRest();
      }, restMs);
      return;
    }
    if (this.#pendingFence !== undefined) return;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    gl.flush();
    const checkFence = (): void => {
      this.#coarse = !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED;
      this.#deletePendingFence();
    };
    this.#pendingFence = { timer: setTimeout(checkFence, slowFrameMs), deleteFence: () => gl.deleteSync(fence) };
  }

  end(): void {
    clearTimeout(this.#restTimer);
    this.#deletePendingFence();
  }

  #deletePendingFence(): void {
    clearTimeout(this.#pendingFence?.timer);
    this.#pendingFence?.deleteFence();
    this.#pendingFence = undefined;
  }
}
