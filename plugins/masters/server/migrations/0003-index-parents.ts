import type { Migration } from '#core/server';

/** Without the index each deletion, such as by undoing an import, would search all masters for children. */
export const indexParents: Migration = {
  id: 'masters-0003-index-parents',
  up: 'create index master_parent on master (parent) where parent is not null;',
};
