import type { Migration } from '#core/server';

export const noteImportJob: Migration = {
  id: 'model-3d-0002-note-import-job',
  up: `
    alter table model add column job text;
  `,
};
