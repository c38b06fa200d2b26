import { routeRef } from '#core';

export const rolesAdmin = routeRef('roles.list', 'admin/console/acl-roles');
export const groupRoles = routeRef('roles.groups', 'admin/console/role-groups');
export const accessControl = routeRef('roles.accessControl', 'admin/console/access-control');
