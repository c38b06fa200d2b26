import type { Migration } from '#core/server';

/**
 * Prepares decks, tours and nodes for editing: allows missing and unplaced plans, nodes without a panorama and tours
 * without nodes, and adds a version number to each row.
 */
export const editContents: Migration = {
  id: 'tour-0005-edit-contents',
  up: `
    alter table deck alter column plan_file drop not null;
    alter table deck alter column plan_width drop not null;
    alter table deck alter column plan_height drop not null;
    alter table deck alter column plan_x drop not null;
    alter table deck alter column plan_y drop not null;
    alter table deck alter column plan_scale drop not null;
    alter table deck alter column plan_heading drop not null;
    alter table deck add column plan_points jsonb not null default '[]';
    alter table deck add column floor text not null default 'UNKNOWN' check (floor in ('PLATED', 'GRATED', 'UNKNOWN'));
    alter table deck add column row_version integer not null default 1;
    alter table deck add check (num_nulls(plan_file, plan_width, plan_height) in (0, 3));
    alter table deck add check (num_nulls(plan_x, plan_y, plan_scale, plan_heading) in (0, 4));
    alter table deck add check (plan_file is not null or plan_x is null);

    alter table tour alter column start_node drop not null;
    alter table tour add column row_version integer not null default 1;

    alter table node alter column panorama_file drop not null;
    alter table node alter column captured_at drop not null;
    alter table node add check (num_nulls(panorama_file, captured_at) in (0, 2));
    alter table node add column row_version integer not null default 1;
    create index node_deck on node (deck);
    create index link_to_node on link (to_node);
  `,
};
