import path from 'node:path';
import { contentSeverities } from '#core';
import { webPluginConforms } from '#core/testing/web';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve('plugins/content-check'),
  manifest,
  settings: {},
  messages: [...contentSeverities.map((severity) => `content-check.severity.${severity}`), 'content-check.setUp.count'],
});
