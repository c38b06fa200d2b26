import type { Migration } from '#core/server';

/**
 * Each panorama knows where its middle looks, for a camera is set up anew at each round; those that were imported wait
 * for their tiles.
 */
export const importPanoramas: Migration = {
  id: 'tour-0003-import-panoramas',
  up: `
    alter table capture add column heading double precision;
    update capture set heading = (select node.heading from node where node.code = capture.node);
    alter table capture alter column heading set not null;

    create table incoming (
      uid text primary key,
      node text not null references node on delete cascade,
      captured_at timestamptz not null,
      heading double precision not null,
      panorama_file text not null,
      job text not null,
      message text
    );
    create index incoming_node on incoming (node);
  `,
};
