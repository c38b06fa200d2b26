import type { Migration } from '#core/server';

export const createItem: Migration = {
  id: 'media-0003-create-item',
  up: `
    create table item (
      uid text primary key,
      title text not null check (length(title) between 1 and 150),
      french_title text,
      file text not null,
      video boolean not null,
      captions text,
      sequence integer not null default 0,
      row_version integer not null default 1
    );
    create index item_order on item (sequence, title, uid);
  `,
};
