import path from 'node:path';
import { accessFlags, personColumns, personStatuses, userTypes } from '#core';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';
import { signInActions } from './components/person-sign-ins.tsx';

const bulkDone = ['ACTIVE', 'INACTIVE', 'ROLE'];

webPluginConforms({
  folder: path.resolve('plugins/users'),
  manifest,
  settings: {},
  messages: [
    ...personColumns.map((column) => `users.column.${column}`),
    ...personStatuses.map((status) => `users.status.${status}`),
    ...userTypes.map((type) => `users.accountType.${type}`),
    ...accessFlags.map((flag) => `users.flag.${flag}`),
    ...signInActions.map((action) => `users.signIn.${action}`),
    ...['ALL', 'ACTIVE', 'INACTIVE'].map((filter) => `users.filter.${filter}`),
    ...['ACTIVE', 'INACTIVE'].flatMap((status) => [`users.confirm.${status}`, `users.confirm.${status}Hint`]),
    ...bulkDone.flatMap((kind) => [`users.done.${kind}`, `users.done.${kind}Undone`]),
    'users.done.changed',
    'users.done.changedUndone',
    'users.audit.usersImported',
    'users.setUp.count',
  ],
});
