import type { ScanGrid } from './read-grid.ts';

/** Metres: finer than any scanner, and coarser than one that is used for measuring. */
const [least, most] = [0.0005, 0.05];
const assumed = 0.003;
const maxTriples = 500_000;

/**
 * One standard deviation of a single range, metres, as the scan itself shows it: on a plane one divided by the range is
 * linear along a row, so what a point is off from its two neighbours is noise, 1.5 times its variance where the three
 * are as good. The median over all triples is blind to edges.
 */
export function estimateNoise({ rows, columns, across, down, nearness }: ScanGrid, width: number): number {
  const step = Math.max(1, Math.floor((rows * columns) / maxTriples));
  const off: number[] = [];
  for (let cell = 1; cell + 1 < rows * columns; cell += step) {
    if (cell % columns === 0 || cell % columns === columns - 1) continue;
    const [before, here, after] = [nearness[cell - 1]!, nearness[cell]!, nearness[cell + 1]!];
    if (before === 0 || here === 0 || after === 0) continue;
    const along = (to: number): number => {
      const way = Math.abs(across[to]! - across[cell]!);
      return Math.hypot(Math.min(way, width - way), down[to]! - down[cell]!);
    };
    const [left, right] = [along(cell - 1), along(cell + 1)];
    if (left === 0 || right === 0 || left / right > 1.5 || right / left > 1.5) continue;
    const expected = (before * right + after * left) / (left + right);
    off.push(Math.abs(1 / here - 1 / expected));
  }
  if (off.length < 100) return assumed;
  off.sort((a, b) => a - b);
  const deviation = off[Math.floor(off.length / 2)]! / 0.6745 / Math.sqrt(1.5);
  return Math.min(most, Math.max(least, deviation));
}
