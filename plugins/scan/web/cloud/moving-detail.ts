/** Where a frame that was asked for comes later than this, the card is still busy with the one before. Milliseconds. */
const slowFrame = 50;
/** Milliseconds of rest after which all is drawn. */
const rest = 160;
/** On a slow machine one point of so many is drawn while one moves. */
const coarse = 4;

/** How much of a cloud is drawn: on a machine that is slow with it less while one moves, and all at rest. */
export class MovingDetail {
  readonly #rested: () => void;
  #every = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param rested asks for a frame with everything */
  constructor(rested: () => void) {
    this.#rested = rested;
  }

  /** One point of how many is drawn in a frame that came so many milliseconds after it was asked for. */
  everyAfter(waited: number): number {
    clearTimeout(this.#timer);
    if (waited > slowFrame) this.#every = coarse;
    if (this.#every > 1) {
      this.#timer = setTimeout(() => {
        this.#every = 1;
        this.#rested();
      }, rest);
    }
    return this.#every;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
