import { describe, expect, it } from 'vitest';
import { toSearchKey, toSearchPatterns } from './search-key.ts';

describe('searchPatterns', () => {
  it('compares numbers by letters and digits only', () => {
    expect(toSearchKey('6"-PG-10021-A1B')).toBe('6PG10021A1B');
    expect(toSearchPatterns('pt 10').key).toBe('%PT10%');
  });

  it('searches one or two characters as a prefix', () => {
    expect(toSearchPatterns('p').key).toBe('P%');
    expect(toSearchPatterns('p*1').key).toBe('%P%1%');
  });

  it('treats only the star as a wildcard', () => {
    expect(toSearchPatterns('50%_of\\').description).toBe('%50\\%\\_of\\\\%');
    expect(toSearchPatterns('**').key).toBeUndefined();
  });
});
