import type { Migration } from '#core/server';

/**
 * Adds the list of tags and nodes whose views a job computes after a large change, an index of nodes by position, and
 * an index for deleting the visits of a node.
 */
export const settleViewsLater: Migration = {
  id: 'tour-0009-settle-views-later',
  up: `
    create table moved_place (
      type text not null check (type in ('TAG', 'NODE')),
      uid text not null,
      site text not null,
      primary key (type, uid)
    );
    create index moved_place_site on moved_place (site, type);
    create index node_place on node (site, x);
    create index visited_node_node on visited_node (node);
  `,
};
