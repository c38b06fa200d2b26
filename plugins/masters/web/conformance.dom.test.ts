import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { masterTypes } from '../contract/values.ts';
import manifest from '../plugin.ts';
import { masterChangeKinds } from './stores/master-mutations.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: [
    ...['typeActivated', 'typeDeactivated', 'masterCreated', 'masterChanged', 'mastersImported', 'changeUndone'].map(
      (action) => `masters.audit.${action}`,
    ),
    ...masterTypes.map((type) => `masters.type.${type}`),
    ...masterChangeKinds.flatMap((kind) => [`masters.done.${kind}`, `masters.undone.${kind}`]),
    'masters.use.children',
    'masters.use.people',
  ],
});
