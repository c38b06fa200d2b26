import type { Migration } from '#core/server';

/** Words of the files that are read as values, as chosen in earlier imports. */
export const reportReplacedWords: Migration = {
  id: 'imports-0020-report-replaced-words',
  up: `
    alter table sheet add column replaced_words jsonb not null default '[]';
  `,
};
