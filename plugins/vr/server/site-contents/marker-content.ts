import { createReadStream } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import type { Point3 } from '#core';
import { Instant, NewUid, nullable } from '#core/api';
import {
  applyUploadRules,
  assertPicture,
  atLocation,
  invalidRequest,
  matchesAny,
  pictureTypes,
  removeOnFailure,
  ServerError,
  type ImportedCounts,
  type ImportedFile,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { Tours } from '#plugins/tour';
import { MarkerInput } from '../../contract/api.ts';
import { vrRefusal } from '../../contract/errors.ts';
import { documentRules, removeDocument, saveDocument } from '../queries/documents.ts';
import type { MarkerContext } from '../queries/marker-context.ts';
import { validateMarker } from '../queries/markers.ts';
import type { VrTables } from '../tables.ts';

const markersFile = 'markers.json';
const Markers = Type.Array(
  Type.Object({
    ...Type.Omit(MarkerInput, ['file', 'version', 'target']).properties,
    uid: NewUid,
    location: Type.String(),
    /** Tag or line number, code of a viewpoint, or URL of a document. */
    target: nullable(Type.String({ minLength: 1, maxLength: 500 })),
    /** An uploaded document with the file name that people see. */
    document: nullable(Type.Object({ file: Type.String(), name: Type.String({ minLength: 1, maxLength: 200 }) })),
    author: Type.String(),
    updatedAt: Instant,
  }),
);
type ExportedMarker = Static<typeof Markers>[number];
type Row = Selectable<VrTables['marker']>;

/** Imported markers have no author account, so that the saved name of the author is shown. */
const noAccount = '';

/** Exports and imports the markers that admins placed. An import recomputes from which nodes they are visible. */
export const createMarkerContent = (context: MarkerContext): SiteContent => ({
  id: 'markers',
  title: { en: 'Markers', fr: 'Marqueurs' },
  frenchCountLabels: { markers: 'marqueurs' },
  folder: 'markers',
  order: 90,
  access: 'vrAccess',
  export: (siteExport) => exportMarkers(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const marker of await read(markersFile, Markers)) await checkMarker(marker, requireFile);
  },
  import: (siteImport) => importMarkers(context, siteImport),
});

/** @throws `invalidRequest` (400) or `tooLarge` (413) for a marker or a document that an admin could not save */
async function checkMarker(
  { name, document, ...marker }: ExportedMarker,
  findFile: SiteImport['requireFile'],
): Promise<void> {
  try {
    validateMarker({ ...marker, file: document?.file ?? null });
  } catch (error) {
    throw error instanceof ServerError && error.status < 500
      ? invalidRequest(vrRefusal('vr.refused.markerUnreadable', { name }))
      : error;
  }
  if (!document) return;
  const { mediaType } = await checkDocument(findFile(document.file));
  if (pictureTypes.includes(mediaType)) await assertPicture(findFile(document.file).path);
}

/** Does not change the file: the upload rules only rewrite SVGs, which are not accepted. */
const checkDocument = ({ path, name }: ImportedFile) => applyUploadRules(path, name, documentRules);

async function exportMarkers({ tables, files, service }: MarkerContext, siteExport: SiteExport): Promise<void> {
  const rows = await tables
    .selectFrom('marker')
    .selectAll()
    .where(atLocation('location', siteExport.locations))
    .orderBy('location')
    .orderBy('name')
    .orderBy('uid')
    .execute();
  if (rows.length === 0) return;
  const tours = service(Tours);
  const listTargets = (kind: Row['kind']): string[] =>
    rows.flatMap((row) => (row.kind === kind && row.target !== null ? [row.target] : []));
  const tags = await tours.tagNumbers(listTargets('TAG'), siteExport.locations);
  const nodes = new Map((await tours.nodesAt(siteExport.site)).map(({ uid, code }) => [uid, code]));
  const storedFiles = await files.findAll(rows.flatMap(({ file }) => file ?? []));
  const markers: ExportedMarker[] = [];
  for (const row of rows) {
    const { uid, location, kind, shape, name, text, points, target: storedTarget, file } = row;
    const targets = kind === 'TAG' ? tags : kind === 'HOTSPOT' ? nodes : undefined;
    const target = storedTarget === null || !targets ? storedTarget : (targets.get(storedTarget) ?? null);
    const document = file === null ? undefined : await siteExport.addStored(`${location}/${uid}`, file);
    const isLost = (target === null && (targets || storedTarget !== null)) || (document === undefined && file !== null);
    if (isLost) {
      siteExport.note(
        `The marker ${name} at ${location} was left out, because its target no longer exists.`,
        `Le marqueur ${name} à ${location} a été laissé de côté : ce vers quoi il mène n’existe plus.`,
      );
      continue;
    }
    markers.push({
      uid,
      location,
      kind,
      shape,
      name,
      text,
      points,
      target,
      document: document === undefined ? null : { file: document, name: storedFiles.get(file ?? '')?.name ?? document },
      author: row.author_name,
      updatedAt: row.updated_at.toISOString(),
    });
  }
  await siteExport.add(markersFile, `${JSON.stringify(markers, null, 1)}\n`);
  siteExport.count({ markers: markers.length });
}

interface Target {
  readonly tour: string;
  readonly target: string | null;
}

async function importMarkers(context: MarkerContext, siteImport: SiteImport): Promise<ImportedCounts> {
  const { tables, files, locations } = context;
  const { dryRun, note } = siteImport;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const markers = (await siteImport.read(markersFile, Markers)).map((marker) =>
    marker.kind === 'NOTE' ? { ...marker, target: null } : marker,
  );
  const rows = await tables
    .selectFrom('marker')
    .selectAll()
    .where(matchesAny('uid', [...new Set(markers.map(({ uid }) => uid))]))
    .execute();
  const markerByUid = new Map(rows.map((row) => [row.uid, row]));
  const storedFiles = await files.findAll(rows.flatMap(({ file }) => file ?? []));
  const siteLocations = new Set(await locations.descendants(siteImport.site));
  const findTarget = await createTargetFinder(context, siteImport, markers);
  const markersToWrite: {
    readonly marker: ExportedMarker;
    readonly former: Row | undefined;
    readonly target: Target;
  }[] = [];
  for (const marker of markers) {
    const formerMarker = markerByUid.get(marker.uid);
    const target = findTarget(marker);
    const mayBeImported = dryRun && target === undefined && formerMarker === undefined;
    if (!mayBeImported && (target === undefined || !siteLocations.has(marker.location))) {
      note(
        `The marker ${marker.name} was left out, because its location or its target does not exist here.`,
        `Le marqueur ${marker.name} a été laissé de côté : son lieu ou ce vers quoi il mène n’est pas ici.`,
      );
      continue;
    }
    if (formerMarker && formerMarker.location !== marker.location) {
      note(
        `The marker ${marker.name} was left out: it is at ${formerMarker.location} here.`,
        `Le marqueur ${marker.name} a été laissé de côté : il est à ${formerMarker.location} ici.`,
      );
      continue;
    }
    const sha256 = marker.document ? siteImport.requireFile(marker.document.file).sha256 : undefined;
    const isSameFile = storedFiles.get(formerMarker?.file ?? '')?.sha256 === sha256;
    if (
      formerMarker &&
      target &&
      isSameFile &&
      isDeepStrictEqual(toContent(formerMarker), toContent({ ...marker, ...target }))
    ) {
      counts.unchanged += 1;
      continue;
    }
    counts[formerMarker ? 'changed' : 'added'] += 1;
    if (target) markersToWrite.push({ marker, former: formerMarker, target });
  }
  if (dryRun) return counts;
  const visibleFrom = await computeVisibleFrom(context, markersToWrite);
  for (const [index, { marker, former, target }] of markersToWrite.entries()) {
    await writeMarker(context, siteImport, { marker, former, target, seenFrom: visibleFrom[index] ?? [] });
    await siteImport.advance(marker.document ? 1 : 0);
  }
  return counts;
}

const toContent = ({
  kind,
  shape,
  name,
  text,
  points,
  target,
}: Pick<Row, 'kind' | 'shape' | 'name' | 'text' | 'points' | 'target'>) => ({
  kind,
  shape,
  name,
  text,
  points: points.map((point) => [...point]),
  target,
});

/** Returns a function that finds the tour and target of a marker, or undefined if one is not in the product. */
async function createTargetFinder(
  { service }: MarkerContext,
  { site }: SiteImport,
  markers: readonly ExportedMarker[],
): Promise<(marker: ExportedMarker) => Target | undefined> {
  const tours = service(Tours);
  const tourByLocation = new Map<string, string | undefined>();
  for (const location of new Set(markers.map((marker) => marker.location)))
    tourByLocation.set(location, await tours.tourAt(location).catch(() => undefined));
  const listTargets = (kind: ExportedMarker['kind']): string[] => [
    ...new Set(markers.flatMap((marker) => (marker.kind === kind ? (marker.target ?? []) : []))),
  ];
  const tags = await tours.findTags(site, listTargets('TAG'));
  const nodes = await tours.findNodes(site, listTargets('HOTSPOT'));
  return ({ location, kind, target }) => {
    const tour = tourByLocation.get(location);
    const targets = kind === 'TAG' ? tags : kind === 'HOTSPOT' ? nodes : undefined;
    const targetUid = target === null || !targets ? target : targets.get(target);
    return tour === undefined || targetUid === undefined ? undefined : { tour, target: targetUid };
  };
}

/** Computes for each marker the uids of the nodes from which it is visible. */
async function computeVisibleFrom(
  { service }: MarkerContext,
  writtenMarkers: readonly { readonly marker: ExportedMarker; readonly target: Target }[],
): Promise<readonly (readonly string[])[]> {
  const visibleFrom: string[][] = writtenMarkers.map(() => []);
  for (const tour of new Set(writtenMarkers.map(({ target }) => target.tour))) {
    const indexes = [...writtenMarkers.keys()].filter((index) => writtenMarkers[index]!.target.tour === tour);
    const visibleFromInTour = await service(Tours).nodesThatSee(
      tour,
      indexes.map((index) => writtenMarkers[index]!.marker.points as unknown as Point3[]),
    );
    for (const [position, index] of indexes.entries()) visibleFrom[index] = visibleFromInTour[position] ?? [];
  }
  return visibleFrom;
}

async function writeMarker(
  context: MarkerContext,
  siteImport: SiteImport,
  {
    marker,
    former,
    target,
    seenFrom,
  }: {
    readonly marker: ExportedMarker;
    readonly former: Row | undefined;
    readonly target: Target;
    readonly seenFrom: readonly string[];
  },
): Promise<void> {
  const { tables, files } = context;
  const { uid, location, kind, shape, name, text, points, document, author, updatedAt } = marker;
  const file = document === null ? null : await storeDocument(context, siteImport, location, document);
  const values = {
    kind,
    shape,
    name,
    text,
    points: JSON.stringify(points),
    tour: target.tour,
    target: target.target,
    file,
    seen_from: JSON.stringify(seenFrom),
    author: noAccount,
    author_name: author,
    version: (former?.version ?? 0) + 1,
    updated_at: new Date(updatedAt),
  };
  await removeOnFailure(files, file === null ? [] : [file], async () => {
    if (former) await tables.updateTable('marker').set(values).where('uid', '=', uid).execute();
    else
      await tables
        .insertInto('marker')
        .values({ ...values, uid, location })
        .execute();
  });
  if (former?.file) await removeDocument(context, former.file);
}

async function storeDocument(
  context: MarkerContext,
  siteImport: SiteImport,
  location: string,
  { file, name }: NonNullable<ExportedMarker['document']>,
): Promise<string> {
  const { mediaType } = await checkDocument(siteImport.requireFile(file));
  const { id } = await saveDocument(
    context,
    location,
    { name, mediaType },
    createReadStream(siteImport.requireFile(file).path),
  );
  return id;
}
