import type { Migration } from '#core/server';

/** Poses of nodes that agree with ties. */
export const createAlignment: Migration = {
  id: 'tour-0007-create-alignment',
  up: `
    create table alignment (
      node text primary key references node on delete cascade,
      x double precision not null,
      y double precision not null,
      z double precision not null,
      heading double precision not null,
      panorama_file text not null,
      residual double precision not null,
      tie_count integer not null,
      ties jsonb not null,
      aligned_at timestamptz not null
    );
  `,
};
