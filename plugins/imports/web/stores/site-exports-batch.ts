/** Stands for an import in the URL of the page that exports sites, so that the app knows no further route. */
export const siteExportsBatch = 'site-export';
