import type { Migration } from '#core/server';

/**
 * Rules by which tags of objects are found. `tag_rules` is what admins set up; the mappings with a `rule` are computed
 * from it. `parent` is the position of the object above. `box` is min x, y, z, then max x, y, z, in metres.
 */
export const createTagRules: Migration = {
  id: 'model-3d-0002-tag-rules',
  up: `
    alter table model add column attribute_paths jsonb not null default '[]';
    alter table model add column objects_complete boolean not null default false;
    alter table model add column rules_job text;
    alter table model_object add column parent integer;
    alter table model_object add column attributes jsonb not null default '{}';
    alter table model_object add column box jsonb;
    alter table mapping add column rule text
      check (rule in ('FILE', 'NAME', 'PARENT', 'EXTRAS', 'IFC_PROPERTY'))
      check (rule is null or (kind = 'TAG' and target is not null));

    create table tag_rules (
      model text primary key references model on delete cascade,
      rules jsonb not null,
      version integer not null default 1
    );

    create table tag_position (
      tag text primary key,
      model text not null references model on delete cascade,
      object text not null,
      x double precision not null,
      y double precision not null,
      z double precision not null
    );
    create index tag_position_model on tag_position (model);
  `,
};
