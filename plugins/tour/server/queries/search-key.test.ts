import { describe, expect, it } from 'vitest';
import { searchKey, searchPatterns } from './search-key.ts';

describe('searchPatterns', () => {
  it('compares numbers by letters and digits only', () => {
    expect(searchKey('6"-PG-10021-A1B')).toBe('6PG10021A1B');
    expect(searchPatterns('pt 10').key).toBe('%PT10%');
  });

  it('searches one or two characters as a prefix', () => {
    expect(searchPatterns('p').key).toBe('P%');
    expect(searchPatterns('p*1').key).toBe('%P%1%');
  });

  it('treats only the star as a wildcard', () => {
    expect(searchPatterns('50%_of\\').description).toBe('%50\\%\\_of\\\\%');
    expect(searchPatterns('**').key).toBeUndefined();
  });
});
