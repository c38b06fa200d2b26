import type { Migration } from '#core/server';

export const createTour: Migration = {
  id: 'tour-0001-create-tour',
  up: `
    create table tour (
      code text primary key,
      name text not null,
      location text not null unique,
      start_node text not null
    );

    create table deck (
      code text primary key,
      name text not null,
      location text not null,
      elevation double precision not null,
      map_file text not null,
      west double precision not null,
      south double precision not null,
      east double precision not null,
      north double precision not null
    );

    create table node (
      code text primary key,
      tour text not null references tour on delete cascade,
      position integer not null,
      name text not null,
      deck text,
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
      pyramid jsonb
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

    create table line (
      number text primary key,
      service text not null,
      nps text not null,
      dn integer not null,
      outside_diameter double precision not null,
      from_tag text not null,
      to_tag text not null,
      points jsonb not null
    );

    create table tag (
      tour text not null references tour on delete cascade,
      number text not null,
      type text not null check (type in ('TAG', 'LINE')),
      kind text not null,
      description text not null,
      x double precision,
      y double precision,
      z double precision,
      location text not null,
      line text,
      search_key text not null,
      primary key (tour, number)
    );
    create index tag_search_key on tag using gin (search_key gin_trgm_ops);
    create index tag_description on tag using gin (description gin_trgm_ops);

    create table tag_view (
      tour text not null,
      tag text not null,
      node text not null references node on delete cascade,
      pan double precision not null,
      tilt double precision not null,
      distance double precision not null,
      visible double precision not null,
      primary key (node, tag),
      foreign key (tour, tag) references tag on delete cascade
    );
    create index tag_view_tag on tag_view (tour, tag, distance);

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
