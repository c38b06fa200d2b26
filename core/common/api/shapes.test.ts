import { Value } from 'typebox/value';
import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { PointInput, nullable, Page, pageQuery, NewUid } from './shapes.ts';

const accepts = (schema: TSchema) => (value: unknown) => Value.Check(schema, value);

describe('API shapes', () => {
  it('accepts a page of rows with offset and total', () => {
    const isPage = accepts(Page(nullable(Type.String())));
    expect(isPage({ total: 3, offset: 1, rows: ['b', null] })).toBe(true);
    expect(
      [
        { total: -1, offset: 0, rows: [] },
        { total: 1, rows: [] },
        { total: 1, offset: 0, rows: [1] },
      ].some(isPage),
    ).toBe(false);
  });

  it('limits the rows of a page', () => {
    const isQuery = accepts(Type.Object(pageQuery(200)));
    expect([{}, { offset: 0, limit: 200 }].every(isQuery)).toBe(true);
    expect([{ limit: 0 }, { limit: 201 }, { offset: -1 }].some(isQuery)).toBe(false);
  });

  it("accepts a point within 100,000 km of the site's origin", () => {
    const isPoint = accepts(PointInput);
    expect(isPoint([0, -1e8, 1e8])).toBe(true);
    expect(
      [
        [0, 0],
        [0, 0, 1.1e8],
        [0, 0, 0, 0],
      ].some(isPoint),
    ).toBe(false);
  });

  it('accepts only uids of version 4', () => {
    expect(accepts(NewUid)('3f2b8c1e-5a7d-4c2b-9e1f-0a1b2c3d4e5f')).toBe(true);
    expect(accepts(NewUid)('3f2b8c1e-5a7d-1c2b-9e1f-0a1b2c3d4e5f')).toBe(false);
  });
});
