import { expect, it } from 'vitest';
import type { ImportProblem } from '../../contract/index.ts';
import { buildProblem } from '../../testing/web.ts';
import { ProblemOrder } from './problem-order.ts';

const build = (...values: readonly string[]) => {
  const rows = values.map((value): ImportProblem => buildProblem({ value }));
  return { total: rows.length, offset: 0, rows };
};

it('keeps the positions of problems while they are fixed, and puts new ones last', () => {
  const order = new ProblemOrder();
  const list = (...values: readonly string[]) =>
    order.merge(build(...values), 4).rows.map(({ value, isSolved }) => `${String(value)}${isSolved ? ' solved' : ''}`);
  expect(list('A', 'B', 'C')).toEqual(['A', 'B', 'C']);
  expect(list('C', 'A')).toEqual(['A', 'B solved', 'C']);
  expect(list('D', 'C')).toEqual(['A solved', 'B solved', 'C', 'D']);
  expect(list('D', 'E')).toEqual(['D', 'E']);
});

it('keeps the order of the server in lists of several pages', () => {
  const order = new ProblemOrder();
  order.merge(build('A', 'B'), 4);
  const page = { ...build('B', 'C'), total: 300 };
  expect(order.merge(page, 4)).toMatchObject({ total: 300, rows: [{ value: 'B' }, { value: 'C' }] });
});
