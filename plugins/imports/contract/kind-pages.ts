import { routeRef } from '#core';

/**
 * Pages of kinds, each for the kinds of the plugin of that name, such as `locations` for `location` (requirement
 * RTE-13).
 */
export const kindPages = ['location', 'master', 'permit', 'pid', 'spp', 'system-boundary', 'tour', 'user'].map((page) =>
  routeRef(`imports.${page}`, `admin/console/import-${page}`),
);
