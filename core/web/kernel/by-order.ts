import type { Contribution } from '#core';

type Sorted = Pick<Contribution, 'id' | 'order'>;

/** Compares by `order`, then by `id`. Ids are compared by code unit, for the same order in every language. */
export const byOrder = (a: Sorted, b: Sorted): number => a.order - b.order || (a.id < b.id ? -1 : 1);
