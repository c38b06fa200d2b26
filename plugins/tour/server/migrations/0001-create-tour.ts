import type { Migration } from '#core/server';

/**
 * Each entity has a permanent `uid`, and a `code` that is unique within its site and may change. The table `code`
 * contains current and former codes. Tags and lines share one set of codes.
 */
export const createTour: Migration = {
  id: 'tour-0001-create-tour',
  up: `
    create table code (
      site text not null,
      kind text not null check (kind in ('TOUR', 'DECK', 'NODE', 'TAG')),
      code text not null,
      entity text not null,
      replaced_at timestamptz,
      primary key (site, kind, code)
    );
    create index code_entity on code (entity);
    create index code_code on code (kind, code);

    create table tour (
      uid text primary key,
      site text not null,
      code text not null,
      name text not null,
      location text not null unique,
      start_node text not null,
      version integer not null default 1,
      unique (site, code)
    );

    create table deck (
      uid text primary key,
      site text not null,
      code text not null,
      name text not null,
      location text not null unique,
      elevation double precision not null,
      plan_file text not null,
      plan_width integer not null check (plan_width > 0),
      plan_height integer not null check (plan_height > 0),
      plan_x double precision not null,
      plan_y double precision not null,
      plan_scale double precision not null check (plan_scale > 0),
      plan_heading double precision not null,
      unique (site, code)
    );

    create table node (
      uid text primary key,
      site text not null,
      code text not null,
      tour text not null references tour on delete cascade,
      position integer not null,
      name text not null,
      deck text references deck on delete set null,
      location text not null,
      x double precision not null,
      y double precision not null,
      z double precision not null,
      heading double precision not null,
      view_pan double precision not null,
      view_tilt double precision not null,
      captured_at timestamptz not null,
      panorama_file text not null,
      range_file text,
      thumbnail_file text,
      pyramid_file text,
      pyramid jsonb,
      unique (site, code)
    );
    create index node_tour on node (tour, position);

    create table link (
      from_node text not null references node on delete cascade,
      to_node text not null references node on delete cascade,
      kind text not null check (kind in ('WALK', 'STAIR', 'LADDER')),
      pan double precision not null,
      tilt double precision not null,
      distance double precision not null,
      primary key (from_node, to_node)
    );

    create table capture (
      uid text primary key,
      node text not null references node on delete cascade,
      captured_at timestamptz not null,
      heading double precision not null,
      panorama_file text not null,
      range_file text,
      pyramid_file text,
      pyramid jsonb,
      unique (node, captured_at)
    );

    create table incoming (
      uid text primary key,
      node text not null references node on delete cascade,
      captured_at timestamptz not null,
      heading double precision not null,
      panorama_file text not null,
      job text not null,
      message text,
      refusal jsonb
    );
    create index incoming_node on incoming (node);

    create table tag (
      uid text primary key,
      site text not null,
      code text not null,
      type text not null check (type in ('TAG', 'LINE')),
      kind text not null,
      description text not null,
      x double precision,
      y double precision,
      z double precision,
      location text not null,
      line text references tag on delete set null,
      search_key text not null,
      unique (site, code)
    );
    create index tag_location on tag (location);
    create index tag_search_key on tag using gin (search_key gin_trgm_ops);
    create index tag_description on tag using gin (description gin_trgm_ops);

    create table pipe (
      line text primary key references tag on delete cascade,
      service text not null,
      nps text not null,
      dn integer not null,
      outside_diameter double precision not null,
      from_tag text not null,
      to_tag text not null,
      points jsonb not null
    );

    create table tag_view (
      tag text not null references tag on delete cascade,
      node text not null references node on delete cascade,
      pan double precision not null,
      tilt double precision not null,
      distance double precision not null,
      visible double precision not null,
      primary key (node, tag)
    );
    create index tag_view_tag on tag_view (tag, distance);

    create table visited_node (
      person text not null,
      node text not null references node on delete cascade,
      visits integer not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      primary key (person, node)
    );
  `,
};
