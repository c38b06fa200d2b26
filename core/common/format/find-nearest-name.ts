/**
 * The candidate that a mistyped name most likely means. About a third of the letters may differ; undefined if no
 * candidate is that close.
 */
export function findNearestName(name: string, candidates: readonly string[]): string | undefined {
  const [nearest] = candidates
    .map((candidate) => ({ candidate, edits: countEdits(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return nearest !== undefined && nearest.edits <= Math.ceil(name.length / 3) ? nearest.candidate : undefined;
}

/** Levenshtein distance of two words. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...to].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === otherLetter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
