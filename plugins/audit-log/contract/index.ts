import { routeRef } from '#core';

export const auditAdmin = routeRef('audit-log.log', 'admin/console/audit-log');
