import { atLocation, type SiteContent, type SiteExport } from '#core/server';
import { Tours } from '#plugins/tour';
import { findTokenAndUnblockedLocations } from '../queries/scan-token.ts';
import { importScans } from './import-scans.ts';
import { ExportedScans, scansFile, type ExportedFile, type ScanContentContext } from './scan-record.ts';

/** Scans as they were uploaded, and scan stations without a file of points. */
export const createScanContent = (context: ScanContentContext, tokenRequired: boolean): SiteContent => ({
  id: 'scans',
  title: { en: 'Scans', fr: 'Scans' },
  frenchCounts: {
    clouds: 'nuages',
    stations: 'stations',
    'clouds left out (no upload)': 'nuages laissés de côté (sans fichier envoyé)',
  },
  folder: 'scans',
  order: 70,
  access: 'scanAccess',
  export: (out) => exportScans(context, out, tokenRequired),
  check: async ({ read, file }) => {
    const { deliveries, stations } = await read(scansFile, ExportedScans);
    for (const { files } of deliveries) for (const each of files) file(each.file);
    for (const { ranges, panorama } of stations) for (const each of [ranges, panorama]) if (each !== null) file(each);
  },
  import: (source) => importScans(context, source),
});

async function exportScans(context: ScanContentContext, out: SiteExport, tokenRequired: boolean): Promise<void> {
  const { tables, files } = context;
  const { unblocked } = await findTokenAndUnblockedLocations(context, out.site, out.locations, tokenRequired);
  if (unblocked.length < out.locations.length)
    out.note(
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
  let left = 0;
  for (const { name, location, captured_at, place, unit, stations, source_files: ids, data_file: data } of clouds) {
    const exportedFiles: ExportedFile[] = [];
    for (const [index, id] of ids.entries()) {
      const file = await out.addStored(`${location}/${name}/${index + 1}`, id);
      if (file !== undefined) exportedFiles.push({ file, name: storedFileById.get(id)?.name ?? file });
    }
    const capturedAt = captured_at?.toISOString() ?? null;
    if (exportedFiles.length > 0 && exportedFiles.length === ids.length)
      deliveries.push({ name, location, capturedAt, place, unit, stations: stations.length > 0, files: exportedFiles });
    else {
      left += 1;
      if (data !== null) await exportTiles(context, out, name, data);
      else
        out.note(
          `The cloud ${name} was left out: it has no file.`,
          `Le nuage ${name} a été laissé de côté : il n’a pas de fichier.`,
        );
    }
  }
  const stations = await exportStations(context, out, unblocked);
  if (deliveries.length + stations.length > 0)
    await out.add(scansFile, `${JSON.stringify({ deliveries, stations }, null, 1)}\n`);
  if (clouds.length + stations.length > 0) out.count({ clouds: deliveries.length, stations: stations.length });
  if (left > 0) out.count({ 'clouds left out (no upload)': left });
  if (deliveries.some((each) => each.stations))
    out.note(
      'Stations of an uploaded scan are made anew from it; changes of their names, poses and links are not in it.',
      'Les stations d’un scan téléversé en sont refaites ; les modifications de leurs noms, poses et liens n’y sont pas.',
    );
}

/** A cloud without its upload has only tiles, which only other programs read. */
async function exportTiles(
  { files }: ScanContentContext,
  out: SiteExport,
  name: string,
  folder: string,
): Promise<void> {
  for (const { path } of await files.listParts(folder))
    await out.add(`${name}-tiles/${path}`, await files.read(folder, undefined, path), { derived: true });
  out.note(
    `The cloud ${name} has no upload: its 3D Tiles are in the folder, which imports leave out.`,
    `Le nuage ${name} n’a pas de fichier téléversé : ses 3D Tiles sont dans le dossier, que les imports laissent de côté.`,
  );
}

async function exportStations(
  { tables, service }: ScanContentContext,
  out: SiteExport,
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
  const nodes = new Map((await service(Tours).nodesAt(out.site)).map(({ uid, code }) => [uid, code]));
  const stations: ExportedScans['stations'] = [];
  for (const { name, location, captured_at, x, y, z, heading, sigma, link, node, ...files } of rows) {
    const ranges = await out.addStored(`${location}/${name}-ranges`, files.range_file);
    if (ranges === undefined) {
      out.note(`The ranges of the station ${name} are missing.`, `Les distances de la station ${name} manquent.`);
      continue;
    }
    const panorama =
      files.panorama_file === null ? undefined : await out.addStored(`${location}/${name}`, files.panorama_file);
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
