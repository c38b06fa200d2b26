import { describe, expect, it } from 'vitest';
import { boundIntegers } from './bounded-integers.ts';
import { findTooDeep, maxJsonDepth } from './json-body.ts';
import { findUnstorableText, isStorableText } from './storable-text.ts';

const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const filler = JSON.stringify('[{'.repeat(100));

describe('findTooDeep', () => {
  it('[SEC-06] counts depth outside of strings and names the field that exceeds it', () => {
    expect(findTooDeep(nest(maxJsonDepth))).toBeUndefined();
    expect(findTooDeep(nest(maxJsonDepth + 1))).toBe('');
    expect(findTooDeep(`{"a":${filler},"b":${nest(maxJsonDepth - 1)}}`)).toBeUndefined();
    expect(findTooDeep(`{"a":${filler},"b/c":${nest(maxJsonDepth)}}`)).toBe('/b~1c');
    expect(findTooDeep(`{"a":"\\\\","b":"\\"${'['.repeat(99)}"}`)).toBeUndefined();
    expect(findTooDeep(`["a",${nest(maxJsonDepth)}]`)).toBe('');
    expect(findTooDeep(`{"a\\ud800":${nest(500_000)}}`)).toBe('/a\ud800');
  });

  it('[SEC-06] terminates for text that is not JSON', () => {
    for (const text of ['"'.repeat(101), `"${'\\'.repeat(100)}`, ']'.repeat(100), '\\"'.repeat(100), ' '.repeat(100)])
      expect(findTooDeep(text)).toBeUndefined();
  });
});

describe('storable text', () => {
  it('[SEC-06] may contain any Unicode except NUL and lone surrogates', () => {
    for (const text of ['', 'É', '𝄞', '\u0001', '\ufffe', '\u202e', '👩‍🚒']) expect(isStorableText(text)).toBe(true);
    for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800']) expect(isStorableText(text)).toBe(false);
  });

  it('[SEC-06] is required of all texts and property names, at any depth', () => {
    expect(findUnstorableText({ a: [1, null, { b: 'x' }] })).toBeUndefined();
    expect(findUnstorableText({ a: [1, null, { 'b/c': '\0' }] })).toBe('/a/2/b~1c');
    expect(findUnstorableText({ 'a\0': 1 })).toBe('/a\0');
    expect(findUnstorableText('\ud800')).toBe('');
  });
});

describe('boundIntegers', () => {
  it("[SEC-06] adds the database's bounds to integers without bounds", () => {
    const [minimum, maximum] = [-2147483648, 2147483647];
    expect(
      boundIntegers({
        properties: { type: { type: 'integer', minimum: 0 }, size: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
        items: { type: 'integer', exclusiveMinimum: 3, maximum: 2 ** 40 },
        not: { type: 'number' },
      }),
    ).toEqual({
      properties: {
        type: { type: 'integer', minimum: 0, maximum },
        size: { anyOf: [{ type: 'integer', minimum, maximum }, { type: 'null' }] },
      },
      items: { type: 'integer', exclusiveMinimum: 3, maximum: 2 ** 40 },
      not: { type: 'number' },
    });
  });
});
