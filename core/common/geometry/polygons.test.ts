import { describe, expect, it } from 'vitest';
import { isSimplePolygon, type Corner } from './polygons.ts';

const square: readonly Corner[] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.9],
  [0.1, 0.9],
];

describe('isSimplePolygon', () => {
  it('accepts a square in both directions, a triangle, a concave outline and a corner on a straight line', () => {
    expect(isSimplePolygon(square)).toBe(true);
    expect(isSimplePolygon(square.toReversed())).toBe(true);
    expect(isSimplePolygon(square.slice(0, 3))).toBe(true);
    expect(isSimplePolygon([...square, [0.5, 0.5]])).toBe(true);
    expect(isSimplePolygon([[0.1, 0.1], [0.5, 0.1], ...square.slice(1)])).toBe(true);
  });

  it('refuses an outline that crosses, touches or covers itself, and one without an area', () => {
    const [a, b, c, d] = square as [Corner, Corner, Corner, Corner];
    expect(isSimplePolygon([a, c, b, d])).toBe(false);
    expect(isSimplePolygon([a, b, c, [0.5, 0.1]])).toBe(false);
    expect(isSimplePolygon([a, b, a, c])).toBe(false);
    expect(isSimplePolygon([a, b, b, c])).toBe(false);
    expect(isSimplePolygon([a, [0.5, 0.1], b])).toBe(false);
    expect(isSimplePolygon([a, b])).toBe(false);
  });
});
