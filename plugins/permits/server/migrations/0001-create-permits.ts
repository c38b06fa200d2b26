import type { Migration } from '#core/server';

export const createPermits: Migration = {
  id: 'permits-0001-create-permits',
  up: `
    create table permit (
      uid text primary key,
      site text not null,
      number text not null,
      name text not null,
      description text not null default '',
      type text not null check (type in ('general_permit', 'hot_work_permit', 'critical_permit')),
      stage text not null check (
        stage in ('APPROVE_AND_AUTHORISE', 'ISSUE', 'ACCEPT', 'LIVE', 'SUSPENDED', 'CLOSED')),
      stage_changed_at timestamptz not null,
      outcome text check (stage = 'CLOSED' or outcome is null),
      suspension_reason text check (stage = 'SUSPENDED' or suspension_reason is null),
      valid_from timestamptz not null,
      valid_to timestamptz not null check (valid_to > valid_from),
      location text not null,
      tour text,
      node text,
      map text,
      level text,
      map_x double precision,
      map_y double precision check ((map_x is null) = (map_y is null)),
      elevation double precision,
      work_radius double precision check (work_radius >= 0),
      hac_zone text,
      h2s_zone text,
      system text,
      tags jsonb not null default '[]',
      work_order text,
      source text not null,
      row_version integer not null default 1
    );
    create unique index permit_number on permit (site, lower(number));
    create index permit_location on permit (location);
    -- A time window of a site, of all stages or one of them, is read from the index alone.
    create index permit_window on permit (site, valid_to, valid_from) include (stage, type);
    create index permit_stage on permit (site, stage, valid_to) include (valid_from, type);
    create index permit_node on permit (node) where node is not null;
    create index permit_map on permit (site, lower(map)) where map is not null;
    create index permit_tags on permit using gin (tags);

    create table assignee (
      uid text primary key,
      permit text not null references permit on delete cascade,
      role text not null check (role in ('JOB_PERFORMER', 'PERFORMING_AUTHORITY', 'AREA_AUTHORITY')),
      name text not null,
      email text,
      company text,
      capacity text,
      signed_at timestamptz
    );
    create unique index assignee_key on assignee (permit, role, lower(name));
    create index assignee_name on assignee (lower(name), role);

    create table high_risk_activity (
      uid text primary key,
      permit text not null references permit on delete cascade,
      activity text not null,
      controls text
    );
    create unique index high_risk_activity_key on high_risk_activity (permit, activity);

    create table site_visit (
      uid text primary key,
      permit text not null references permit on delete cascade,
      purpose text not null check (purpose in ('PRE_ISSUE', 'DURING_WORK', 'CLOSE_OUT')),
      number integer not null,
      role text not null,
      status text not null check (status in ('DONE', 'PENDING', 'NA')),
      due_at timestamptz,
      done_at timestamptz,
      visitor text,
      mode text not null check (mode in ('PHYSICAL', 'VIRTUAL')),
      na_reason text,
      notes text
    );
    create unique index site_visit_key on site_visit (permit, purpose, number, role);

    create table document (
      uid text primary key,
      permit text not null references permit on delete cascade,
      title text not null,
      type text not null,
      url text check (url like 'https://%'),
      document_uid text,
      revision text
    );
    create unique index document_key on document (permit, lower(title));

    create table cross_reference (
      uid text primary key,
      permit text not null references permit on delete cascade,
      other text not null references permit on delete cascade check (other <> permit),
      kind text not null
    );
    create unique index cross_reference_key on cross_reference (permit, other);
    create index cross_reference_other on cross_reference (other);

    create table isolation (
      uid text primary key,
      permit text not null references permit on delete cascade,
      certificate text not null,
      tag text,
      method text not null,
      state text not null
    );
    create unique index isolation_key on isolation (permit, lower(certificate), lower(coalesce(tag, '')));
    create index isolation_tag on isolation (lower(tag)) where tag is not null;

    create table zone (
      uid text primary key,
      site text not null,
      kind text not null check (kind in ('HAC', 'H2S')),
      code text not null,
      zone text not null,
      name text,
      location text not null,
      map text not null,
      level text,
      points jsonb not null,
      elevation_from double precision,
      elevation_to double precision,
      valid_from timestamptz,
      valid_to timestamptz,
      source_document text,
      revision text,
      active boolean not null default true,
      row_version integer not null default 1
    );
    create unique index zone_code on zone (site, kind, lower(code));
    create index zone_location on zone (location);

    create table permit_event (
      id bigint generated always as identity primary key,
      permit text not null,
      number text not null,
      site text not null,
      location text not null,
      sequence integer not null,
      at timestamptz not null,
      actor text not null,
      source text not null,
      action text not null,
      from_stage text,
      to_stage text,
      unusual boolean not null,
      details jsonb not null,
      change text not null,
      unique (permit, sequence)
    );
    create index permit_event_at on permit_event (site, at);

    create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'Events of permits are only added.' using errcode = 'restrict_violation';
      end $$;
    create trigger append_only before update or delete on permit_event
      for each row execute function refuse_change();
    create trigger never_emptied before truncate on permit_event
      for each statement execute function refuse_change();

    -- Corners [[x, y], ...] from a text such as '10,20; 35.5,20; 35.5,60', or null if it is malformed.
    create function to_points(points text) returns jsonb language sql immutable as $$
      select case when list -> 0 = list -> -1 and jsonb_array_length(list) > 3 then list - -1 else list end
      from (select case when points ~ '^\\s*(-?(0|[1-9]\\d*)(\\.\\d+)?\\s*,\\s*-?(0|[1-9]\\d*)(\\.\\d+)?\\s*(;\\s*|$))+$'
        then ('[[' || replace(regexp_replace(points, '\\s|;\\s*$', '', 'g'), ';', '],[') || ']]')::jsonb end as list) as parsed $$;

    -- The outline with each side moved inwards, in the unit of the corners. Null for fewer than 3 corners.
    create function to_outline(points jsonb, inset double precision) returns polygon language sql immutable as $$
      with corner as (
        select place, (point ->> 0)::float8 as x, (point ->> 1)::float8 as y, count(*) over () as corners
        from jsonb_array_elements(points) with ordinality as each (point, place)
      ),
      side as (
        select a.place, a.x, a.y, a.corners, (b.x - a.x) / nullif(length, 0) as ux, (b.y - a.y) / nullif(length, 0) as uy,
          sign(sum(a.x * b.y - b.x * a.y) over ()) as turn
        from corner as a join corner as b on b.place = a.place % a.corners + 1
        cross join lateral (select sqrt((b.x - a.x) ^ 2 + (b.y - a.y) ^ 2) as length) as measured
      ),
      moved as (
        select side.place,
          side.x - inset * side.turn * (side.uy + before.uy) / bend as x,
          side.y + inset * side.turn * (side.ux + before.ux) / bend as y
        from side join side as before on before.place = (side.place + side.corners - 2) % side.corners + 1
        cross join lateral (select greatest(1 + side.ux * before.ux + side.uy * before.uy, 0.1) as bend) as measured
        where side.corners >= 3
      )
      select ('(' || string_agg('(' || x || ',' || y || ')', ',' order by place) || ')')::polygon
      from moved where x is not null and y is not null $$;
  `,
};
