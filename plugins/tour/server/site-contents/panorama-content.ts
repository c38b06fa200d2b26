import type { ServerContext, SiteContent } from '#core/server';
import type { TourTables } from '../tables.ts';
import { exportPanoramas } from './export-panoramas.ts';
import { importPanoramas } from './import-panoramas.ts';
import { Panoramas, panoramasFile } from './panorama-record.ts';

/** Exports and imports panoramas as they were uploaded, with their range images. */
export const createPanoramaContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'panoramas',
  title: { en: 'Panoramas', fr: 'Panoramas' },
  frenchCountLabels: { panoramas: 'panoramas', 'range images': 'images de distances' },
  folder: 'panoramas',
  order: 40,
  export: (siteExport) => exportPanoramas(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const { picture, ranges } of await read(panoramasFile, Panoramas)) {
      requireFile(picture);
      if (ranges) requireFile(ranges.file);
    }
  },
  import: (source) => importPanoramas(context, source),
});
