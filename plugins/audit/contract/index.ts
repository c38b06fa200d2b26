import { routeRef } from '#core';

export const auditAdmin = routeRef('audit.log', 'admin/console/audit-log');
