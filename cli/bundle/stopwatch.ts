/** Milliseconds by step; steps run side by side, so they add up to more than `total`. */
export type Timings = Readonly<Record<string, number>>;

/** Times the steps of one build. */
export class Stopwatch {
  readonly #started = performance.now();
  readonly #steps = new Map<string, number>();

  /** Takes the time until `work` is done. */
  async time<T>(step: string, work: Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work;
    this.#steps.set(step, Math.round(performance.now() - started));
    return result;
  }

  stop(): Timings {
    return { ...Object.fromEntries(this.#steps), total: Math.round(performance.now() - this.#started) };
  }
}
