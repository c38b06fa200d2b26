import { describe, expect, it } from 'vitest';
import { searchKey, searchPatterns } from './search-key.ts';

describe('search patterns', () => {
  it('compares numbers by letters and digits alone', () => {
    expect(searchKey('6"-PG-10021-A1B')).toBe('6PG10021A1B');
    expect(searchPatterns('pt 10').key).toBe('%PT10%');
  });

  it('takes one or two characters as a beginning', () => {
    expect(searchPatterns('p').key).toBe('P%');
    expect(searchPatterns('p*1').key).toBe('%P%1%');
  });

  it('lets nothing typed become a wildcard but the star', () => {
    expect(searchPatterns('50%_of\\').description).toBe('%50\\%\\_of\\\\%');
    expect(searchPatterns('**').key).toBeUndefined();
  });
});
