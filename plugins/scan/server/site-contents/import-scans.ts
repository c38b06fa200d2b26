import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  atLocation,
  findMediaType,
  invalidRequest,
  removeOnFailure,
  type ImportedCounts,
  type SiteImport,
} from '#core/server';
import { Tours } from '#plugins/tour';
import { createCloud } from '../cloud/queries/clouds-at.ts';
import { scanAudience } from '../queries/scan-token.ts';
import { tileStationJob, type TileStationPayload } from '../stations/jobs/tile-station.ts';
import { ExportedScans, scansFile, type ScanContentContext } from './scan-record.ts';

type Delivery = ExportedScans['deliveries'][number];
type Station = ExportedScans['stations'][number];

/** Imports deliveries like uploads from the scans screen, and stations with their files. */
export async function importScans(context: ScanContentContext, source: SiteImport): Promise<ImportedCounts> {
  const { deliveries, stations } = await source.read(scansFile, ExportedScans);
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const addMissing = async <Item extends Delivery | Station>(
    items: readonly Item[],
    existingItems: ReadonlySet<Item>,
    add: (context: ScanContentContext, source: SiteImport, item: Item) => Promise<void>,
  ): Promise<void> => {
    for (const item of items) {
      // In a dry run, a missing location is one that the same import would create.
      const isLocationImported = source.dryRun && !(await context.locations.find(item.location));
      if (existingItems.has(item)) counts.unchanged += 1;
      else if (!isLocationImported && !(await context.locations.canAccess(source.author.caller, item.location)))
        source.note(
          `The scan ${item.name} was left out: there is no location ${item.location}.`,
          `Le scan ${item.name} a été laissé de côté : il n’y a pas d’emplacement ${item.location}.`,
        );
      else {
        counts.added += 1;
        if (!source.dryRun) await add(context, source, item);
        await source.advance(1);
      }
    }
  };
  await addMissing(deliveries, await findPresentDeliveries(context, source, deliveries), addDelivery);
  await addMissing(stations, await findPresentStations(context, source, stations), addStation);
  await context.jobs.notifyRunners();
  return counts;
}

async function findPresentDeliveries(
  { tables, files }: ScanContentContext,
  source: SiteImport,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<Delivery>> {
  const locations = [...new Set(deliveries.map(({ location }) => location))];
  const rows = await tables.selectFrom('cloud').selectAll().where(atLocation('location', locations)).execute();
  const storedFileById = await files.findAll(rows.flatMap((row) => row.source_files));
  const joinHashes = (ids: readonly string[]): string => ids.map((id) => storedFileById.get(id)?.sha256).join(' ');
  return new Set(
    deliveries.filter(({ location, name, files: exportedFiles }) =>
      rows.some(
        (row) =>
          row.location === location &&
          row.name === name &&
          joinHashes(row.source_files) === exportedFiles.map(({ file }) => source.requireFile(file).sha256).join(' '),
      ),
    ),
  );
}

async function findPresentStations(
  { tables, files }: ScanContentContext,
  source: SiteImport,
  stations: readonly Station[],
): Promise<ReadonlySet<Station>> {
  const locations = [...new Set(stations.map(({ location }) => location))];
  const rows = await tables.selectFrom('station').selectAll().where(atLocation('location', locations)).execute();
  const storedFileById = await files.findAll(rows.map(({ range_file }) => range_file));
  return new Set(
    stations.filter(({ location, name, ranges }) =>
      rows.some(
        (row) =>
          row.location === location &&
          row.name === name &&
          storedFileById.get(row.range_file)?.sha256 === source.requireFile(ranges).sha256,
      ),
    ),
  );
}

async function addDelivery(context: ScanContentContext, source: SiteImport, delivery: Delivery): Promise<void> {
  const { name, location, capturedAt, place, unit, stations } = delivery;
  const files = delivery.files.map((exportedFile) => {
    const { path, bytes } = source.requireFile(exportedFile.file);
    const stream = () => createReadStream(path);
    return { field: 'file', name: exportedFile.name, mediaType: 'application/octet-stream', bytes, path, stream };
  });
  const { job } = await createCloud(
    context,
    source.author.caller,
    location,
    { name, ...(capturedAt === null ? {} : { capturedAt }) },
    { files, fields: { place: JSON.stringify(place), unit, stations: String(stations) } },
  );
  const { result, message } = await context.jobs.waitForCompletion(job);
  if (result === 'FAILED') throw invalidRequest(`The scan ${name} was refused: ${message ?? ''}`);
}

async function addStation(context: ScanContentContext, source: SiteImport, station: Station): Promise<void> {
  const { tables, files, jobs, service } = context;
  const { name, location, capturedAt, position, heading, sigma, link, viewpoint, ranges, panorama } = station;
  const putFile = async (file: string): Promise<string> =>
    (
      await files.put(
        { name: file.split('/').at(-1)!, mediaType: findMediaType(file), audience: scanAudience(location) },
        createReadStream(source.requireFile(file).path),
      )
    ).id;
  const node =
    viewpoint === null ? null : ((await service(Tours).findNodes(source.site, [viewpoint])).get(viewpoint) ?? null);
  const rangeFile = await putFile(ranges);
  const panoramaFile = panorama === null ? null : await putFile(panorama);
  const uid = randomUUID();
  await removeOnFailure(files, [rangeFile, ...(panoramaFile === null ? [] : [panoramaFile])], () =>
    tables
      .insertInto('station')
      .values({
        uid,
        name,
        node,
        link,
        location,
        x: position[0],
        y: position[1],
        z: position[2],
        heading,
        captured_at: capturedAt,
        range_file: rangeFile,
        sigma,
        panorama_file: panoramaFile,
        tiles_file: null,
        pyramid: null,
        ranges: null,
        delivery: null,
      })
      .execute(),
  );
  await jobs.start<TileStationPayload>(tileStationJob, { station: uid }, null);
}
