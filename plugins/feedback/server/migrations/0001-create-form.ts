import type { Migration } from '#core/server';

export const createForm: Migration = {
  id: 'feedback-0001-create-form',
  up: `
    create table form (
      uid uuid primary key,
      author text not null,
      tour text not null,
      location text not null,
      type_of_work uuid,
      activity uuid,
      rating smallint check (rating between 1 and 5),
      answered_at timestamptz not null,
      valid_until timestamptz not null
    );
    create index form_validity on form (author, tour, valid_until);
    create index form_tour on form (tour, answered_at);
  `,
};
