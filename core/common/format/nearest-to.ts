/**
 * The name that a mistyped one most likely meant: at most about a third of its letters differ. Undefined if none is
 * close.
 */
export function nearestTo(name: string, candidates: readonly string[]): string | undefined {
  const [nearest] = candidates
    .map((candidate) => ({ candidate, steps: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  return nearest !== undefined && nearest.steps <= Math.ceil(name.length / 3) ? nearest.candidate : undefined;
}

/** Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
