/** Milliseconds that the pointer must rest on a hotspot. */
export const dwellMs = 700;

/**
 * Walks to a hotspot on which the pointer rests. After an arrival nothing happens until the pointer was moved: else the
 * hotspot that comes to lie under a resting pointer would be walked to at once, and so on through the whole tour.
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

  /** The person does something else, such as a drag: the pointer must leave first. */
  cancel(): void {
    this.leave();
  }

  arrived(): void {
    this.leave();
    this.#armed = false;
  }

  /** The pointer was moved by hand. */
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
