import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: {},
  messages: ['changed', 'deleted'].map((action) => `annotate.audit.${action}`),
  others: [{ id: 'tour', settings: {}, web: tourWeb, bridges: [] }],
});
