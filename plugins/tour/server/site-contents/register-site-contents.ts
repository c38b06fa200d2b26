import type { ServerContext } from '#core/server';
import type { TourTables } from '../tables.ts';
import { createAlignmentContent } from './alignment-content.ts';
import { createDocumentContent } from './document-content.ts';
import { createFormerCodeContent } from './former-code-content.ts';
import { createPanoramaContent } from './panorama-content.ts';
import { createPlanContent } from './plan-content.ts';
import { createTourContent } from './tour-content.ts';

/** Registers the contents of site exports that the workbook of the tour does not contain. */
export function registerSiteContents(context: ServerContext<TourTables>): void {
  for (const create of [
    createTourContent,
    createPlanContent,
    createPanoramaContent,
    createAlignmentContent,
    createDocumentContent,
    createFormerCodeContent,
  ])
    context.registerSiteContent(create(context));
}
