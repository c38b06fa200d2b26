/**
 * Runs a computation that yields between its parts, for about `budgetMs` per frame. The first parts run at once, so
 * that a short computation ends before this returns.
 *
 * @returns cancels what is left of it
 */
export function runInFrames<T>(parts: Iterator<void, T>, budgetMs: number, onResult: (result: T) => void): () => void {
  let frame: number | undefined;
  const run = (): void => {
    const end = performance.now() + budgetMs;
    do {
      const part = parts.next();
      if (part.done) return onResult(part.value);
    } while (performance.now() < end);
    frame = requestAnimationFrame(run);
  };
  run();
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
