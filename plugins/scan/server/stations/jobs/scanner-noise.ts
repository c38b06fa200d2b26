import type { ScanGrid } from './read-grid.ts';

/** Bounds of plausible noise. No scanner is better, and a worse one could not be used for measuring. */
const [minNoiseMetres, maxNoiseMetres] = [0.0005, 0.05];
const defaultNoiseMetres = 0.003;
const maxTriples = 500_000;

/**
 * Estimates one standard deviation of a single range in metres. On a plane the inverse range is linear along a row, so
 * the residual of a point against its two neighbours is noise with 1.5 times its variance. The median over all triples
 * ignores edges.
 */
export function estimateNoise({ rows, columns, imageX, imageY, nearness }: ScanGrid, width: number): number {
  const step = Math.max(1, Math.floor((rows * columns) / maxTriples));
  const deviations: number[] = [];
  for (let cell = 1; cell + 1 < rows * columns; cell += step) {
    if (cell % columns === 0 || cell % columns === columns - 1) continue;
    const [before, current, after] = [nearness[cell - 1]!, nearness[cell]!, nearness[cell + 1]!];
    if (before === 0 || current === 0 || after === 0) continue;
    const computeDistance = (to: number): number => {
      const gap = Math.abs(imageX[to]! - imageX[cell]!);
      return Math.hypot(Math.min(gap, width - gap), imageY[to]! - imageY[cell]!);
    };
    const [left, right] = [computeDistance(cell - 1), computeDistance(cell + 1)];
    if (left === 0 || right === 0 || left / right > 1.5 || right / left > 1.5) continue;
    const expected = (before * right + after * left) / (left + right);
    deviations.push(Math.abs(1 / current - 1 / expected));
  }
  if (deviations.length < 100) return defaultNoiseMetres;
  deviations.sort((a, b) => a - b);
  const deviation = deviations[Math.floor(deviations.length / 2)]! / 0.6745 / Math.sqrt(1.5);
  return Math.min(maxNoiseMetres, Math.max(minNoiseMetres, deviation));
}
