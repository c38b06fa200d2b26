import { atLocation, type SiteContent, type SiteExport } from '#core/server';
import { Tours } from '#plugins/tour';
import { findTokenAndUnblockedLocations } from '../queries/scan-token.ts';
import { importScans } from './import-scans.ts';
import { ExportedScans, scansFile, type ExportedFile, type ScanContentContext } from './scan-record.ts';

/** Exports and imports the uploaded scan files, and the scan stations that belong to no upload. */
export const createScanSiteContent = (context: ScanContentContext, tokenRequired: boolean): SiteContent => ({
  id: 'scans',
  title: { en: 'Scans', fr: 'Scans' },
  frenchCountLabels: {
    clouds: 'nuages',
    stations: 'stations',
    'clouds left out (no upload)': 'nuages laissés de côté (sans fichier envoyé)',
  },
  folder: 'scans',
  order: 70,
  access: 'scanAccess',
  export: (siteExport) => exportScans(context, siteExport, tokenRequired),
  check: async ({ read, requireFile }) => {
    const { deliveries, stations } = await read(scansFile, ExportedScans);
    for (const { files } of deliveries) for (const scanFile of files) requireFile(scanFile.file);
    for (const { ranges, panorama } of stations)
      for (const image of [ranges, panorama]) if (image !== null) requireFile(image);
  },
  import: (source) => importScans(context, source),
});

async function exportScans(context: ScanContentContext, siteExport: SiteExport, tokenRequired: boolean): Promise<void> {
  const { tables, files } = context;
  const { unblocked } = await findTokenAndUnblockedLocations(
    context,
    siteExport.site,
    siteExport.locations,
    tokenRequired,
  );
  if (unblocked.length < siteExport.locations.length)
    siteExport.note(
      'Scans without a valid scan token are left out.',
      'Les scans sans jeton de scan valide sont laissés de côté.',
    );
  if (unblocked.length === 0) return;
  const clouds = await tables
    .selectFrom('cloud')
    .selectAll()
    .where(atLocation('location', unblocked))
    .orderBy('location')
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const storedFileById = await files.findAll(clouds.flatMap((cloud) => cloud.source_files));
  const deliveries: ExportedScans['deliveries'] = [];
  let leftOutCount = 0;
  for (const { name, location, captured_at, place, unit, stations, source_files: ids, data_file: data } of clouds) {
    const exportedFiles: ExportedFile[] = [];
    for (const [index, id] of ids.entries()) {
      const file = await siteExport.addStored(`${location}/${name}/${index + 1}`, id);
      if (file !== undefined) exportedFiles.push({ file, name: storedFileById.get(id)?.name ?? file });
    }
    const capturedAt = captured_at?.toISOString() ?? null;
    if (exportedFiles.length > 0 && exportedFiles.length === ids.length)
      deliveries.push({ name, location, capturedAt, place, unit, stations: stations.length > 0, files: exportedFiles });
    else {
      leftOutCount += 1;
      if (data !== null) await exportTiles(context, siteExport, name, data);
      else
        siteExport.note(
          `The point cloud ${name} was left out: it has no file.`,
          `Le nuage ${name} a été laissé de côté : il n’a pas de fichier.`,
        );
    }
  }
  const stations = await exportStations(context, siteExport, unblocked);
  if (deliveries.length + stations.length > 0)
    await siteExport.add(scansFile, `${JSON.stringify({ deliveries, stations }, null, 1)}\n`);
  if (clouds.length + stations.length > 0) siteExport.count({ clouds: deliveries.length, stations: stations.length });
  if (leftOutCount > 0) siteExport.count({ 'clouds left out (no upload)': leftOutCount });
  if (deliveries.some((delivery) => delivery.stations))
    siteExport.note(
      'The stations of an uploaded scan are created from it again. Changes to their names, poses and links are not included.',
      'Les stations d’un scan téléversé en sont refaites ; les modifications de leurs noms, poses et liens n’y sont pas.',
    );
}

/** Exports the tiles of a point cloud without uploaded files. Other programs can read them, but imports skip them. */
async function exportTiles(
  { files }: ScanContentContext,
  siteExport: SiteExport,
  name: string,
  folder: string,
): Promise<void> {
  for (const { path } of await files.listEntries(folder))
    await siteExport.add(`${name}-tiles/${path}`, await files.read(folder, undefined, path), { derived: true });
  siteExport.note(
    `The point cloud ${name} has no uploaded file. Its 3D Tiles are in the folder, but imports skip them.`,
    `Le nuage ${name} n’a pas de fichier téléversé : ses 3D Tiles sont dans le dossier, que les imports laissent de côté.`,
  );
}

async function exportStations(
  { tables, service }: ScanContentContext,
  siteExport: SiteExport,
  locations: readonly string[],
): Promise<ExportedScans['stations']> {
  const rows = await tables
    .selectFrom('station')
    .selectAll()
    .where(atLocation('location', locations))
    .where('delivery', 'is', null)
    .orderBy('location')
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const nodes = new Map((await service(Tours).nodesAt(siteExport.site)).map(({ uid, code }) => [uid, code]));
  const stations: ExportedScans['stations'] = [];
  for (const { name, location, captured_at, x, y, z, heading, sigma, link, node, ...files } of rows) {
    const ranges = await siteExport.addStored(`${location}/${name}-ranges`, files.range_file);
    if (ranges === undefined) {
      siteExport.note(
        `The ranges of the station ${name} are missing.`,
        `Les distances de la station ${name} manquent.`,
      );
      continue;
    }
    const panorama =
      files.panorama_file === null ? undefined : await siteExport.addStored(`${location}/${name}`, files.panorama_file);
    stations.push({
      name,
      location,
      capturedAt: captured_at.toISOString(),
      position: [x, y, z],
      heading,
      sigma,
      link,
      viewpoint: nodes.get(node ?? '') ?? null,
      ranges,
      panorama: panorama ?? null,
    });
  }
  return stations;
}
