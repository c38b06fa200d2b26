import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: { token: false },
  messages: [
    'scan.check.cloudElsewhere',
    'scan.check.cloudElsewhere.hint',
    ...['PHOTO', 'COLOURS'].map((picture) => `scan.viewpoints.${picture}`),
  ],
  others: [{ id: 'tour', settings: {}, web: tourWeb, bridges: [] }],
});
