/**
 * Runs a computation that yields between its steps, for about `budgetMs` per frame. The first steps run immediately, so
 * that a short computation ends before this function returns.
 *
 * @returns a function that cancels the remaining steps
 */
export function runInFrames<T>(steps: Iterator<void, T>, budgetMs: number, onResult: (result: T) => void): () => void {
  let frame: number | undefined;
  const run = (): void => {
    const end = performance.now() + budgetMs;
    do {
      const step = steps.next();
      if (step.done) return onResult(step.value);
    } while (performance.now() < end);
    frame = requestAnimationFrame(run);
  };
  run();
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
