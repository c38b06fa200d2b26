import { routeRef } from '#core';

/** The list of master types. */
export const masterTypesAdmin = routeRef('masters.types', 'admin/configuration/master-type');
/** The form of one master type, which the query `type` names. */
export const masterTypeAdmin = routeRef('masters.type', 'admin/configuration/manage/master-type');
/** The list of masters. */
export const masterDataAdmin = routeRef('masters.data', 'admin/configuration/master-data');
/** The form of the master that the query `master` names, or of a new one. */
export const masterAdmin = routeRef('masters.master', 'admin/configuration/manage/master-data');
