import type { Migration } from '#core/server';

export const createDocument: Migration = {
  id: 'vr-0002-create-document',
  up: `
    create table document (
      file text primary key,
      location text not null
    );
    insert into document (file, location) select file, min(location) from marker where file is not null group by file;
  `,
};
