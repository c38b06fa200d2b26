import type { ScanGrid } from './read-grid.ts';

/** Metres: bounds of plausible noise, from better than any scanner to unfit for measuring. */
const [minNoise, maxNoise] = [0.0005, 0.05];
const assumed = 0.003;
const maxTriples = 500_000;

/**
 * Estimates one standard deviation of a single range in metres. On a plane the inverse range is linear along a row, so
 * the residual of a point against its two neighbours is noise with 1.5 times its variance. The median over all triples
 * ignores edges.
 */
export function estimateNoise({ rows, columns, across, down, nearness }: ScanGrid, width: number): number {
  const step = Math.max(1, Math.floor((rows * columns) / maxTriples));
  const off: number[] = [];
  for (let cell = 1; cell + 1 < rows * columns; cell += step) {
    if (cell % columns === 0 || cell % columns === columns - 1) continue;
    const [before, here, after] = [nearness[cell - 1]!, nearness[cell]!, nearness[cell + 1]!];
    if (before === 0 || here === 0 || after === 0) continue;
    const along = (to: number): number => {
      const gap = Math.abs(across[to]! - across[cell]!);
      return Math.hypot(Math.min(gap, width - gap), down[to]! - down[cell]!);
    };
    const [left, right] = [along(cell - 1), along(cell + 1)];
    if (left === 0 || right === 0 || left / right > 1.5 || right / left > 1.5) continue;
    const expected = (before * right + after * left) / (left + right);
    off.push(Math.abs(1 / here - 1 / expected));
  }
  if (off.length < 100) return assumed;
  off.sort((a, b) => a - b);
  const deviation = off[Math.floor(off.length / 2)]! / 0.6745 / Math.sqrt(1.5);
  return Math.min(maxNoise, Math.max(minNoise, deviation));
}
