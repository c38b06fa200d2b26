import { describe, expect, it } from 'vitest';
import { listSimilarPatterns, toSearchKey, toSearchPatterns } from './search-key.ts';

describe('toSearchPatterns', () => {
  it('compares numbers by letters and digits only', () => {
    expect(toSearchKey('6"-PG-10021-A1B')).toBe('6PG10021A1B');
    expect(toSearchPatterns('pt 10')).toMatchObject({ key: 'PT10', prefix: 'PT10%', contained: '%PT10%' });
  });

  it('searches one or two characters as a prefix', () => {
    expect(toSearchPatterns('p').contained).toBe('P%');
    expect(toSearchPatterns('p*1').contained).toBe('%P%1%');
  });

  it('marks texts without three characters in a row as short', () => {
    for (const text of ['p', 'pt', 'PT*42', '%']) expect(toSearchPatterns(text).isShort).toBe(true);
    for (const text of ['val', 're*valve']) expect(toSearchPatterns(text).isShort).toBe(false);
  });

  it('treats only the star as a wildcard', () => {
    expect(toSearchPatterns('50%_of\\').description).toBe('%50\\%\\_of\\\\%');
    expect(toSearchPatterns('**')).toMatchObject({ key: '', hasWildcard: true });
  });
});

describe('listSimilarPatterns', () => {
  it('lists patterns for a wrong, an added, a missing and two swapped characters', () => {
    const patterns = listSimilarPatterns('PT1001');
    for (const pattern of ['%P_1001%', '%T1001%', '%PT_1001%', '%TP1001%']) expect(patterns).toContain(pattern);
  });

  it('lists prefix patterns for short texts, and none for texts of up to three or more than forty characters', () => {
    expect(listSimilarPatterns('V101')).toContain('V_01%');
    expect([listSimilarPatterns('V10'), listSimilarPatterns('V'.repeat(41))]).toEqual([[], []]);
  });

  it('escapes the wildcards of LIKE', () => {
    expect(listSimilarPatterns('50%_of')).toContain('%5\\%\\_of%');
  });
});
