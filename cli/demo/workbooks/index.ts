import type { ExampleSheets } from '#core/server';
import { permitExamples } from './permit-examples.ts';
import { siteExamples } from './site-examples.ts';
import { tourExamples } from './tour-examples.ts';

/** Rows without errors and with one error each, by the codes of the demo plant, for each sheet of each kind of imports. */
export const exampleSheets: ExampleSheets = { ...siteExamples, ...tourExamples, ...permitExamples };
