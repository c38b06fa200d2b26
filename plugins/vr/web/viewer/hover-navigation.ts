export const dwellMs = 700;

/**
 * Walks to a hotspot on which the pointer rests. After a walk it waits for a pointer move: otherwise the next hotspot
 * under a resting pointer would start another walk, and so on through the whole tour.
 */
export class HoverNavigation {
  readonly #go: (node: string) => void;
  #inside: string | undefined;
  #armed = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(go: (node: string) => void) {
    this.#go = go;
  }

  enter(node: string): void {
    this.#inside = node;
    if (this.#armed) this.#wait();
  }

  leave(): void {
    this.#inside = undefined;
    clearTimeout(this.#timer);
  }

  /** Called on other input, such as a drag: the pointer must leave the hotspot first. */
  cancel(): void {
    this.leave();
  }

  walked(): void {
    this.leave();
    this.#armed = false;
  }

  moved(): void {
    if (this.#armed) return;
    this.#armed = true;
    if (this.#inside !== undefined) this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const node = this.#inside;
      this.leave();
      if (node !== undefined) this.#go(node);
    }, dwellMs);
  }
}
