import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHidden, formatHidden } from './hidden-objects.ts';

describe('hidden objects in an address', () => {
  it('are restored as they were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000 }),
        fc.uniqueArray(fc.nat(2_999), { maxLength: 40 }),
        (count, ids) => {
          const hidden = new Set(ids.filter((id) => id < count));
          expect(parseHidden(formatHidden(hidden, count), count)).toEqual(hidden);
        },
      ),
    );
  });

  it('are short if one object of many is isolated', () => {
    const hidden = new Set(Array.from({ length: 100_000 }, (_, id) => id).filter((id) => id !== 4_711));
    const words = formatHidden(hidden, 100_000);
    expect(words).toBe('255s:0-3mu.3mw-255r');
    expect(parseHidden(words, 100_000)).toEqual(hidden);
  });

  it('are omitted if they are longer than an address', () => {
    expect(formatHidden(new Set(Array.from({ length: 2_000 }, (_, k) => 2 * k)), 4_000)).toBeUndefined();
    expect(formatHidden(new Set(), 10)).toBeUndefined();
  });

  it.each([undefined, '', 'a', 'a:', ':0', 'a:zz', 'b:0-3', 'a:-', 'a:3-1', 'a:0-zzzzzz'])(
    'parses at most existing objects from %j',
    (words) => {
      expect([...parseHidden(words, 10)].every((id) => id >= 0 && id < 10)).toBe(true);
    },
  );

  it('are ignored if they are longer than any written value, because they may repeat all objects many times', () => {
    expect([...parseHidden(`a:${'0-9.'.repeat(200)}0`, 10)]).toEqual([]);
  });
});
