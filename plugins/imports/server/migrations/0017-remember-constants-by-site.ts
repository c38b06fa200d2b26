import type { Migration } from '#core/server';

/** The site whose codes a remembered value belongs to. Empty for values that are not codes of a site. */
export const rememberConstantsBySite: Migration = {
  id: 'imports-0017-remember-constants-by-site',
  up: `
    alter table constant_choice
      add column site text not null default '',
      drop constraint constant_choice_pkey,
      add primary key (kind, sheet, column_id, site);
  `,
};
