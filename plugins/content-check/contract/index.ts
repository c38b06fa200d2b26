import { routeRef } from '#core';

export const contentCheck = routeRef('content-check.list', 'admin/console/content-check');
