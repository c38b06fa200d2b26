/** Stands for the uid of an import in the URL of the page that exports sites, so that it needs no route of its own. */
export const siteExportsPathSegment = 'site-export';
