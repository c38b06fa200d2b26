/** Time for which the pointer must rest on a hotspot. */
export const dwellMs = 700;

/**
 * Walks to the node of a hotspot on which the pointer rests. After a walk, the pointer must move first. Otherwise the
 * next hotspot under a resting pointer would start another walk, and so on through the whole tour.
 */
export class HoverNavigation {
  readonly #onWalk: (node: string) => void;
  #hotspotNode: string | undefined;
  #isArmed = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onWalk: (node: string) => void) {
    this.#onWalk = onWalk;
  }

  enter(node: string): void {
    this.#hotspotNode = node;
    if (this.#isArmed) this.#startTimer();
  }

  leave(): void {
    this.#hotspotNode = undefined;
    clearTimeout(this.#timer);
  }

  /** Called on other input, such as a drag. The pointer must leave the hotspot before it can start a walk. */
  cancel(): void {
    this.leave();
  }

  handleWalk(): void {
    this.leave();
    this.#isArmed = false;
  }

  handleMove(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    if (this.#hotspotNode !== undefined) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const node = this.#hotspotNode;
      this.leave();
      if (node !== undefined) this.#onWalk(node);
    }, dwellMs);
  }
}
