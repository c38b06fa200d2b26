import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: ['mastersImported', 'changeUndone'].map((action) => `masters.audit.${action}`),
});
