import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: [
    'permits.title',
    ...['permitsImported', 'hacImported', 'h2sImported', 'changeUndone'].map((action) => `permits.audit.${action}`),
    'permits.contents.permits',
    'permits.contents.zones',
  ],
});
