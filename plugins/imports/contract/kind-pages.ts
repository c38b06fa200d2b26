import { routeRef } from '#core';

/**
 * Pages for the kinds of one plugin each. A page has the name of its plugin in the singular, such as `location` for
 * `locations` (requirement RTE-13).
 */
export const kindPages = ['location', 'master', 'permit', 'pid', 'spp', 'system-boundary', 'tour', 'user'].map((page) =>
  routeRef(`imports.${page}`, `admin/console/import-${page}`),
);
