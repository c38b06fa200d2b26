/** Stands for an import in the address of the page that exports sites, so that the app knows no further route. */
export const siteExportsBatch = 'site-export';
