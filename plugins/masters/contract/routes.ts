import { routeRef } from '#core';

/** The list of master types. */
export const masterTypesAdmin = routeRef('masters.types', 'admin/console/master-type');
/** The form of one master type, which the query `type` names. */
export const masterTypeAdmin = routeRef('masters.type', 'admin/console/manage/master-type');
/** The list of masters. */
export const masterDataAdmin = routeRef('masters.data', 'admin/console/master-data');
/** The form of the master that the query `master` names, or of a new one. */
export const masterAdmin = routeRef('masters.master', 'admin/console/manage/master-data');
