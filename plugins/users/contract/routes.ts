import { routeRef } from '#core';

export const userList = routeRef('users.list', 'admin/console/user-list');
/** The page of the person whose uid is the query parameter `person`. Without it, the page invites a new person. */
export const userPage = routeRef('users.user', 'admin/console/user');
