import { routeRef } from '#core';

/** The list of kinds and the history of imports. */
export const importsAdmin = routeRef('imports.list', 'admin/console/imports');
/** One import, from its files to its result. */
export const importWorkbench = routeRef('imports.workbench', 'admin/console/imports/:batch');
