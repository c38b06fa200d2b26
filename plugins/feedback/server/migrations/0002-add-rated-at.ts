import type { Migration } from '#core/server';

export const addRatedAt: Migration = {
  id: 'feedback-0002-add-rated-at',
  // Earlier forms asked for the rating before the tour.
  up: `
    alter table form add column rated_at timestamptz;
    update form set rated_at = answered_at;
  `,
};
