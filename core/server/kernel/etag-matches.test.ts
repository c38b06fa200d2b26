import { describe, expect, it } from 'vitest';
import { etagMatches } from './etag-matches.ts';

describe('etagMatches', () => {
  it('finds a weak or strong tag in a list, and matches `*` with any tag', () => {
    expect(etagMatches('"a", W/"b"', '"b"')).toBe(true);
    expect(etagMatches('*', '"b"')).toBe(true);
    expect(etagMatches('"a"', '"b"')).toBe(false);
    expect(etagMatches(undefined, '"b"')).toBe(false);
  });
});
