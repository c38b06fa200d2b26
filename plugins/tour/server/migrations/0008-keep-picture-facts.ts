import type { Migration } from '#core/server';

/**
 * Stores the tilt of the camera from the metadata of panoramas, when the pose of a node was measured, and which range
 * images were computed from a model.
 */
export const keepPictureFacts: Migration = {
  id: 'tour-0008-keep-picture-facts',
  up: `
    alter table node add column posed_at timestamptz;
    alter table node add column pitch double precision not null default 0;
    alter table node add column roll double precision not null default 0;
    alter table node add column range_source text check (range_source in ('MODEL', 'CLOUD'));
    alter table node add column range_pose text;
    alter table capture add column pitch double precision not null default 0;
    alter table capture add column roll double precision not null default 0;
    alter table capture add column range_source text check (range_source in ('MODEL', 'CLOUD'));
    alter table capture add column range_pose text;
    alter table incoming add column pitch double precision not null default 0;
    alter table incoming add column roll double precision not null default 0;
    create table range_run (
      tour text primary key references tour on delete cascade,
      job text not null,
      stopped boolean not null default false,
      result jsonb
    );
  `,
};
