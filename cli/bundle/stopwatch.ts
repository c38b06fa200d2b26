/** Milliseconds by step; concurrent steps add up to more than `total`. */
export type Timings = Readonly<Record<string, number>>;

/** Measures the steps of one build. */
export class Stopwatch {
  readonly #startedAt = performance.now();
  readonly #steps = new Map<string, number>();

  /** Records the time until `work` resolves. */
  async time<T>(step: string, work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work;
    this.#steps.set(step, Math.round(performance.now() - startedAt));
    return result;
  }

  stop(): Timings {
    return { ...Object.fromEntries(this.#steps), total: Math.round(performance.now() - this.#startedAt) };
  }
}
