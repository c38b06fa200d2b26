import type { Migration } from '#core/server';

/**
 * Prepares tags, lines and documents for editing: adds versions of rows, indexes by position and line, and views with
 * unknown visibility.
 */
export const editTags: Migration = {
  id: 'tour-0006-edit-tags',
  up: `
    create index code_upper on code (site, kind, upper(code));
    alter table tag add column row_version integer not null default 1;
    alter table tag add check (num_nulls(x, y, z) in (0, 3));
    create index tag_place on tag (site, x) where x is not null;
    create index tag_line on tag (line);
    alter table tag_view alter column visible drop not null;
    create index tag_view_unknown on tag_view (node) where visible is null;
    alter table document add column row_version integer not null default 1;
    alter table document_revision add column row_version integer not null default 1;
  `,
};
