import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: [
    ...['brightness', 'contrast'].map((part) => `tour.picture.${part}`),
    ...['inProgress', 'shared', 'published', 'partlyAccepted', 'asBuilt'].map(
      (group) => `tour.documents.status.${group}`,
    ),
  ],
});
