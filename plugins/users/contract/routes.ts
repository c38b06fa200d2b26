import { routeRef } from '#core';

export const userList = routeRef('users.list', 'admin/console/user-list');
/** The page of a person, by the query parameter `person` (uid). Without the parameter the page invites a new person. */
export const userPage = routeRef('users.user', 'admin/console/user');
