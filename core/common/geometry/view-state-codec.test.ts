import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeShortestTurn } from './angles.ts';
import { decodeViewParts, decodeViewState, encodeViewState } from './view-state-codec.ts';
import type { ViewState } from './view-state.ts';

const metres = fc.double({ min: -100_000, max: 100_000, noNaN: true });
const point = fc.tuple(metres, metres, metres);
const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const view: fc.Arbitrary<ViewState> = fc.record(
  {
    v: fc.constant(1 as const),
    module: text,
    beside: text,
    node: text,
    pos: point,
    pan: fc.double({ min: 0, max: 360, maxExcluded: true, noNaN: true }),
    tilt: fc.double({ min: -90, max: 90, noNaN: true }),
    fov: fc.double({ min: 15, max: 100, noNaN: true }),
    target: point,
    floor: text,
    sel: text,
    layers: fc.dictionary(text, text, { minKeys: 1, maxKeys: 4 }),
  },
  { requiredKeys: ['v', 'module', 'pos', 'pan', 'tilt', 'fov'] },
);

describe('view state codec', () => {
  it('[TOUR-05] round-trips within 0.01 degrees and a millimetre', () => {
    fc.assert(
      fc.property(view, (before) => {
        const after = decodeViewState(`?${encodeViewState(before)}`);
        expect(after).toBeDefined();
        const { pan, tilt, fov, pos, target, ...rest } = before;
        expect(Math.abs(computeShortestTurn(after!.pan, pan))).toBeLessThanOrEqual(0.01);
        expect(after!.pan).toBeLessThan(360);
        expect(Math.abs(after!.tilt - tilt)).toBeLessThanOrEqual(0.01);
        expect(Math.abs(after!.fov - fov)).toBeLessThanOrEqual(0.01);
        for (const [index, value] of pos.entries())
          expect(Math.abs(after!.pos[index]! - value)).toBeLessThanOrEqual(0.001);
        for (const [index, value] of (target ?? []).entries())
          expect(Math.abs(after!.target![index]! - value)).toBeLessThanOrEqual(0.001);
        expect(after).toMatchObject(rest);
        expect(Object.keys(after!).sort()).toEqual(Object.keys(before).sort());
      }),
    );
  });

  it('decodes a query that a browser has encoded in a URL', () => {
    const before: ViewState = {
      v: 1,
      module: 'fixture.module',
      node: 'HB-P03',
      pos: [1, 2, 3],
      pan: 359.999,
      tilt: -12.5,
      fov: 75,
      sel: '6"-PG-10021-A1B',
    };
    const url = new URL(`https://plant.example/dashboard/console/tour/u1?${encodeViewState(before)}`);
    expect(decodeViewState(url.search)).toEqual({ ...before, pan: 0 });
  });

  it('normalises out-of-range angles', () => {
    expect(decodeViewState('v=1&module=m&pan=-90&tilt=120&fov=5&pos=0,0,0')).toMatchObject({
      pan: 270,
      tilt: 90,
      fov: 15,
    });
  });

  it.each([
    '',
    'v=2&module=m&pan=1&tilt=1&fov=50&pos=0,0,0',
    'v=1&module=m&pan=x&tilt=1&fov=50&pos=0,0,0',
    'v=1&module=m&pan=1&tilt=1&fov=50&pos=0,0',
    'v=1&pan=1&tilt=1&fov=50&pos=0,0,0',
  ])('rejects the query %j', (query) => {
    expect(decodeViewState(query)).toBeUndefined();
  });

  it('[TOUR-23] reads the valid parts of an incomplete query and lists the others', () => {
    expect(decodeViewParts('?node=HB-P07&pan=-90&fov=5')).toEqual({
      parts: { node: 'HB-P07', pan: 270, fov: 15 },
      unreadable: [],
    });
    expect(decodeViewParts('v=1&module=m&node=N1&pan=north&tilt=&pos=1,2&l.date=2026-01-01')).toEqual({
      parts: { module: 'm', node: 'N1', layers: { date: '2026-01-01' } },
      unreadable: ['pos', 'pan', 'tilt'],
    });
    expect(decodeViewParts('v=2&module=m&node=N1&pan=5')).toEqual({ parts: { node: 'N1' }, unreadable: ['v'] });
  });
});
