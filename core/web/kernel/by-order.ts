import type { Contribution } from '#core';

type Sorted = Pick<Contribution, 'id' | 'order'>;

/** Sorts by (`order`, `id`); ids by code unit, so that the order is the same in every language. */
export const byOrder = (a: Sorted, b: Sorted): number => a.order - b.order || (a.id < b.id ? -1 : 1);
