import { expect, it } from 'vitest';
import { proposeCodeFrom, proposeNodeCode } from './propose-codes.ts';

it.each([
  [[], 'N1'],
  [['N1', 'N2', 'N7'], 'N8'],
  [['P-001', 'P-002', 'N1'], 'P-003'],
  [['N09'], 'N10'],
  [['N1', 'n2', 'Gate'], 'N3'],
  [['12', '13'], '14'],
  [['Gate'], 'N1'],
])('proposes after %j the code %s', (codes, code) => {
  expect(proposeNodeCode(codes)).toBe(code);
});

it('proposes an unused code from the code of a location', () => {
  expect(proposeCodeFrom({ uid: 'HB-M10' }, [])).toBe('HB-M10');
  expect(proposeCodeFrom({ uid: 'HB-M10' }, ['hb-m10', 'HB-M10-2'])).toBe('HB-M10-3');
  expect(proposeCodeFrom({ uid: 'a b/ç' }, [])).toBe('a-b');
  expect(proposeCodeFrom({ uid: 'x'.repeat(64) }, []).length).toBeLessThanOrEqual(50);
});
