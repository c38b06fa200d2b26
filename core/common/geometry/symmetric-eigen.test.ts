import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dotProduct, computeEigen, vectorLength, type Point3, type Symmetric3 } from '#core';

const entry = fc.double({ min: -10, max: 10, noNaN: true });

describe('computeEigen', () => {
  it('returns orthogonal vectors that the matrix scales by their eigenvalues', () => {
    fc.assert(
      fc.property(fc.tuple(entry, entry, entry, entry, entry, entry), (m: Symmetric3) => {
        const { values, vectors } = computeEigen(m);
        const times = ([x, y, z]: Point3): Point3 => [
          m[0] * x + m[1] * y + m[2] * z,
          m[1] * x + m[3] * y + m[4] * z,
          m[2] * x + m[4] * y + m[5] * z,
        ];
        vectors.forEach((vector, k) => {
          expect(vectorLength(vector)).toBeCloseTo(1, 9);
          times(vector).forEach((value, i) => expect(value).toBeCloseTo(values[k]! * vector[i]!, 6));
        });
        expect(dotProduct(vectors[0], vectors[1])).toBeCloseTo(0, 9);
        expect(values[0] <= values[1] && values[1] <= values[2]).toBe(true);
      }),
    );
  });
});
