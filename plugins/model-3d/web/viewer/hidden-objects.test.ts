import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHidden, formatHidden } from './hidden-objects.ts';

describe('formatHidden and parseHidden', () => {
  it('restores the hidden objects', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000 }),
        fc.uniqueArray(fc.nat(2_999), { maxLength: 40 }),
        (count, ids) => {
          const hiddenIds = new Set(ids.filter((id) => id < count));
          expect(parseHidden(formatHidden(hiddenIds, count), count)).toEqual(hiddenIds);
        },
      ),
    );
  });

  it('formats an isolated object of many in a short text', () => {
    const hiddenIds = new Set(Array.from({ length: 100_000 }, (_, id) => id).filter((id) => id !== 4_711));
    const text = formatHidden(hiddenIds, 100_000);
    expect(text).toBe('255s:0-3mu.3mw-255r');
    expect(parseHidden(text, 100_000)).toEqual(hiddenIds);
  });

  it('returns undefined if there are too many runs or none', () => {
    expect(formatHidden(new Set(Array.from({ length: 2_000 }, (_, index) => 2 * index)), 4_000)).toBeUndefined();
    expect(formatHidden(new Set(), 10)).toBeUndefined();
  });

  it.each([undefined, '', 'a', 'a:', ':0', 'a:zz', 'b:0-3', 'a:-', 'a:3-1', 'a:0-zzzzzz'])(
    'parses only existing objects from %j',
    (text) => {
      expect([...parseHidden(text, 10)].every((id) => id >= 0 && id < 10)).toBe(true);
    },
  );

  it('ignores a text that is longer than formatHidden writes', () => {
    expect([...parseHidden(`a:${'0-9.'.repeat(200)}0`, 10)]).toEqual([]);
  });
});
