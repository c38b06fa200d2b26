import { routeRef } from '#core';

/** The list of all sites with their estimations. */
export const expenseAdmin = routeRef('expense.list', 'admin/console/expense-estimation');
/** The form of the site that the query `location` names. */
export const estimationAdmin = routeRef('expense.estimation', 'admin/console/manage/expense-estimation');
