import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { expenseFigures } from '../contract/values.ts';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: [
    ...['estimationSaved', 'estimationDeleted', 'expenseImported', 'changeUndone'].map(
      (action) => `expense.audit.${action}`,
    ),
    ...expenseFigures.flatMap((figure) => [`expense.${figure}`, `expense.short.${figure}`, `expense.hint.${figure}`]),
    'expense.contents.estimation',
    'expense.done.saved',
    'expense.undone.saved',
    'expense.done.deleted',
    'expense.undone.deleted',
  ],
});
