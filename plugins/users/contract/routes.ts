import { routeRef } from '#core';

export const userList = routeRef('users.list', 'admin/console/user-list');
/** One person. The address has the uid as `person`; without it, the form is for a new one. */
export const userPage = routeRef('users.user', 'admin/console/user');
