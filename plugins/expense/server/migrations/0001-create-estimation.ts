import type { Migration } from '#core/server';

export const createEstimation: Migration = {
  id: 'expense-0001-create-estimation',
  up: `
    create table estimation (
      location text primary key,
      fixed_cost numeric(11, 2) not null check (fixed_cost >= 0),
      per_diem numeric(11, 2) not null check (per_diem >= 0),
      trip_days numeric(5, 2) not null check (trip_days > 0 and trip_days <= 365),
      tour_hours numeric(4, 2) not null check (tour_hours > 0 and tour_hours <= 24),
      row_version integer not null default 1
    );
  `,
};
