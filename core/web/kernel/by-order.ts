import type { Contribution } from '#core';

type Sortable = Pick<Contribution, 'id' | 'order'>;

/** Compares by `order`, then by `id`. Ids are compared by code unit, for the same order in every language. */
export const byOrder = (a: Sortable, b: Sortable): number => a.order - b.order || (a.id < b.id ? -1 : 1);
