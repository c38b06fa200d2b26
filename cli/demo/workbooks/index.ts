import type { ExampleSheets } from '#core/server';
import { permitExamples } from './permit-examples.ts';
import { siteExamples } from './site-examples.ts';
import { tourExamples } from './tour-examples.ts';

/**
 * For each sheet of each import kind: rows without errors, and rows with one error each. The rows refer to codes of the
 * demo plant.
 */
export const exampleSheets: ExampleSheets = { ...siteExamples, ...tourExamples, ...permitExamples };
