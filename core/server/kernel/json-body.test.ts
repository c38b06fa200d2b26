import { describe, expect, it } from 'vitest';
import { boundIntegers } from './bounded-integers.ts';
import { findTooDeep, maxJsonDepth } from './json-body.ts';
import { findUnstorableText, isStorableText } from './storable-text.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const filler = JSON.stringify('[{'.repeat(100));

describe('depth of a JSON text', () => {
  it('[SEC-06] is counted outside of texts, and the field that exceeds it is named', () => {
    expect(findTooDeep(nested(maxJsonDepth))).toBeUndefined();
    expect(findTooDeep(nested(maxJsonDepth + 1))).toBe('');
    expect(findTooDeep(`{"a":${filler},"b":${nested(maxJsonDepth - 1)}}`)).toBeUndefined();
    expect(findTooDeep(`{"a":${filler},"b/c":${nested(maxJsonDepth)}}`)).toBe('/b~1c');
    expect(findTooDeep(`{"a":"\\\\","b":"\\"${'['.repeat(99)}"}`)).toBeUndefined();
    expect(findTooDeep(`["a",${nested(maxJsonDepth)}]`)).toBe('');
    expect(findTooDeep(`{"a\\ud800":${nested(500_000)}}`)).toBe('/a\ud800');
  });

  it('[SEC-06] ends for texts that are no JSON', () => {
    for (const text of ['"'.repeat(101), `"${'\\'.repeat(100)}`, ']'.repeat(100), '\\"'.repeat(100), ' '.repeat(100)])
      expect(findTooDeep(text)).toBeUndefined();
  });
});

describe('text that PostgreSQL stores', () => {
  it('[SEC-06] is any Unicode without NUL and halves of pairs', () => {
    for (const text of ['', 'É', '𝄞', '\u0001', '\ufffe', '\u202e', '👩‍🚒']) expect(isStorableText(text)).toBe(true);
    for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800']) expect(isStorableText(text)).toBe(false);
  });

  it('[SEC-06] is looked for in texts and names of all levels', () => {
    expect(findUnstorableText({ a: [1, null, { b: 'x' }] })).toBeUndefined();
    expect(findUnstorableText({ a: [1, null, { 'b/c': '\0' }] })).toBe('/a/2/b~1c');
    expect(findUnstorableText({ 'a\0': 1 })).toBe('/a\0');
    expect(findUnstorableText('\ud800')).toBe('');
  });
});

describe('integers of a schema', () => {
  it('[SEC-06] have the bounds of the database where they name none', () => {
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
