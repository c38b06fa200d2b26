import { sql } from 'kysely';
import { createToGeographic, generateCsv, type ServerContext, type SiteContent, type SiteExport } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import { toFeatures } from './geo-json.ts';
import { importItems } from './import-items.ts';
import { ExportedItems, itemsFile } from './item-record.ts';
import { collectSharedItems } from './collect-shared-items.ts';

/** Exports and imports the measurements, annotations and snapshots that people share. */
export const createItemContent = (context: ServerContext<AnnotateTables>): SiteContent => ({
  id: 'items',
  title: { en: 'Shared annotations', fr: 'Annotations partagées' },
  frenchCountLabels: { measurements: 'mesures', annotations: 'annotations', snapshots: 'instantanés' },
  folder: 'annotations',
  order: 80,
  export: (siteExport) => exportItems(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const { picture, thumbnail } of (await read(itemsFile, ExportedItems)).snapshots)
      for (const name of [picture, thumbnail]) requireFile(name);
  },
  import: (source) => importItems(context, source),
});

async function exportItems(context: ServerContext<AnnotateTables>, siteExport: SiteExport): Promise<void> {
  const items = await collectSharedItems(context, siteExport);
  const { measurements, annotations, snapshots } = items;
  siteExport.note(
    'Private measurements, annotations and snapshots are not included. Authors are exported by name only.',
    'Les mesures, annotations et captures privées n’y sont pas. Les auteurs ne sont que des noms.',
  );
  if (measurements.length + annotations.length + snapshots.length === 0) return;
  await siteExport.add(itemsFile, `${JSON.stringify(items, null, 1)}\n`);
  siteExport.count({ measurements: measurements.length, annotations: annotations.length, snapshots: snapshots.length });
  const toGeographic = await createToGeographic((await context.sites.recordAt(siteExport.site)).frame);
  if (toGeographic)
    await siteExport.add(
      'annotations.geojson',
      JSON.stringify(toFeatures([...annotations, ...measurements], toGeographic)),
      {
        derived: true,
      },
    );
  else
    siteExport.note(
      'There is no GeoJSON, because the site has no projected coordinate reference system.',
      'Il n’y a pas de GeoJSON, car le site n’a pas de système de coordonnées projetées.',
    );
  await siteExport.add(
    'annotations.csv',
    generateCsv(
      context.tables,
      ['uid', 'name', 'kind', 'text', 'status', 'location', 'x', 'y', 'z', 'author', 'created_at'],
      sql`
        select uid::text, name, kind, text, status, location, points -> 0 -> 'point' ->> 0 as x,
          points -> 0 -> 'point' ->> 1 as y, points -> 0 -> 'point' ->> 2 as z, author_name as author,
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
        from annotate.annotation where shared and location = any(${[...siteExport.locations]}::text[])`,
    ),
    { derived: true },
  );
}
