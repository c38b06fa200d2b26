import type { Migration } from '#core/server';

/**
 * A search reads only the tags of its site. Without `fastupdate`, it need not scan the list of pending entries, which
 * the embedded database would rarely flush.
 */
export const indexTagsBySite: Migration = {
  id: 'tour-0004-index-tags-by-site',
  up: `
    create index tag_site_key on tag (site, search_key collate "C");
    drop index tag_search_key;
    create index tag_search_key on tag using gin (site, search_key gin_trgm_ops) with (fastupdate = off);
    drop index tag_description;
    create index tag_description on tag using gin (site, description gin_trgm_ops) with (fastupdate = off);
  `,
};
