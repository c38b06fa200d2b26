import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import type { ExpenseTables } from '../tables.ts';
import { createExpenseKind } from './imports/expense-kind.ts';

const bridge: ServerBridge<ExpenseTables> = (_api, context) =>
  context.service(ImportKinds).register(createExpenseKind(context.changes));
export default bridge;
