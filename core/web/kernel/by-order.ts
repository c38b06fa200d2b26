import type { Contribution } from '#core';

type Sorted = Pick<Contribution, 'id' | 'order'>;

/** Compares by (`order`, `id`); ids by code unit, for the same order in every language. */
export const byOrder = (a: Sorted, b: Sorted): number => a.order - b.order || (a.id < b.id ? -1 : 1);
