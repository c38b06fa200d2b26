import { describe, expect, it } from 'vitest';
import { namesTag } from './names-tag.ts';

describe('namesTag', () => {
  it('finds a tag in a list, weak or strong, and takes a star for any', () => {
    expect(namesTag('"a", W/"b"', '"b"')).toBe(true);
    expect(namesTag('*', '"b"')).toBe(true);
    expect(namesTag('"a"', '"b"')).toBe(false);
    expect(namesTag(undefined, '"b"')).toBe(false);
  });
});
