import { Type } from 'typebox';
import { endpoint } from '#core';

/** Number of items. The guarded endpoint and its peer find one of them by an index. */
export const itemCount = 20_000;
export const createItemsSql = `
  create table item (
    id int primary key, code text not null, name text not null, amount double precision not null, remark text);
  insert into item select n, 'P-' || n, 'Pump ' || n,
    n * 0.25, case when n % 3 = 0 then 'checked' end from generate_series(1, ${itemCount}) n;
  create unique index item_code on item (code);
`;

export const readItem = endpoint('GET', '/api/bench/items/:code', {
  summary: 'Returns one item by its code.',
  access: 'vrAccess',
  params: Type.Object({ code: Type.String({ maxLength: 20, pattern: '^P-[0-9]+$' }) }),
  query: Type.Object({
    language: Type.Enum(['en', 'fr']),
    depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  }),
  reply: Type.Object({
    id: Type.Integer(),
    code: Type.String(),
    name: Type.String(),
    amount: Type.Number(),
    remark: Type.Union([Type.String(), Type.Null()]),
  }),
});

export const buildItemPath = (code: string): string => `/api/bench/items/${code}?language=en&depth=2`;
