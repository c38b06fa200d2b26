import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { formQuestions } from '#plugins/feedback';
import { tourWeb } from '#plugins/tour/testing/web';
import { mastersWeb } from '#plugins/masters/testing/web';
import manifest from '../plugin.ts';
import { timeSpanUnits } from '../common/to-time-span.ts';

webPluginConforms({
  folder: path.resolve(import.meta.dirname, '..'),
  manifest,
  settings: { dropdowns: 2, ratings: true, validFor: 28_800_000 },
  others: [
    { id: 'masters', settings: {}, web: mastersWeb, bridges: [] },
    { id: 'tour', settings: {}, web: tourWeb, bridges: [] },
  ],
  messages: [
    ...formQuestions.map((name) => `feedback.${name}`),
    ...timeSpanUnits.map((unit) => `feedback.holds.${unit}`),
  ],
});
