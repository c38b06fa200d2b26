import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Insertable } from 'kysely';
import type { DemoFile, DemoPlant } from '#core';
import type { SeedDemo, ServerContext } from '#core/server';
import type { DemoDocument, DemoLine, DemoNode, DemoTag, DemoTagView, TourDemo } from '../contract/index.ts';
import { tilePanoramaJob, type TilePanoramaPayload } from './jobs/tile-panorama.ts';
import { insertCodes } from './queries/codes.ts';
import { toSearchKey } from './queries/search-key.ts';
import { touchTours } from './queries/touch-tours.ts';
import type { TourTables } from './tables.ts';

type Plant = DemoPlant & TourDemo;
type Context = Pick<ServerContext<TourTables>, 'tables' | 'files' | 'jobs'>;

/**
 * Seeds tours, decks, nodes, links, tags and lines of the demo plant. Existing rows are unchanged. Creates the
 * tiles of all nodes without them, so that a second run completes an interrupted first run.
 */
const seedDemo: SeedDemo<TourTables, DemoPlant & Partial<TourDemo>> = async (context, demoPlant) => {
  const plant: Plant = { decks: [], tours: [], nodes: [], links: [], tags: [], lines: [], documents: [], ...demoPlant };
  const sites = new Map(plant.locations.map(({ uid, root }) => [uid, root]));
  const findSite = (location: string): string => sites.get(location) ?? location;
  const decks = await seedDecks(context, plant, findSite);
  const { tours, nodes } = await seedTours(context, plant, findSite, decks);
  for (const node of plant.nodes) await seedCaptures(context, node, nodes.get(node.code) ?? '');
  const toUid = (code: string): string => nodes.get(code) ?? code;
  await insertNew(
    plant.links.map(({ from, to, kind, pan, tilt, distance }) => ({
      from_node: toUid(from),
      to_node: toUid(to),
      kind,
      pan,
      tilt,
      distance,
    })),
    (rows) =>
      context.tables
        .insertInto('link')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  const tags = await seedTags(context, plant, findSite, nodes);
  await seedDocuments(context, plant.documents, findSite, tags);
  await tileNodes(context);
  for (const tour of tours.values()) await touchTours(context.tables, 'uid', tour);
};
export default seedDemo;

type UidsByCode = ReadonlyMap<string, string>;
type FindSite = (location: string) => string;

const rowsPerInsert = 500;

async function insertNew<Row>(rows: readonly Row[], insert: (rows: readonly Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) await insert(rows.slice(from, from + rowsPerInsert));
}

async function storeFile({ files }: Context, file: DemoFile, location: string): Promise<string> {
  const storedFile = await files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    createReadStream(file.path),
  );
  return storedFile.id;
}

/** Uids of existing rows by code. The demo has one site. */
async function findExistingUids(
  context: Context,
  table: 'tour' | 'deck' | 'node' | 'tag' | 'document',
  site: string,
): Promise<UidsByCode> {
  const rows = await context.tables.selectFrom(table).select(['uid', 'code']).where('site', '=', site).execute();
  return new Map(rows.map(({ uid, code }) => [code, uid]));
}

/** Returns a uid for each code: the uid of the existing row, or a new uid. */
async function assignUids(
  context: Context,
  table: 'tour' | 'deck' | 'node' | 'tag' | 'document',
  entities: readonly { readonly code: string; readonly site: string }[],
): Promise<{ readonly uids: UidsByCode; readonly existing: UidsByCode }> {
  const existingUids = new Map<string, string>();
  for (const site of new Set(entities.map((entity) => entity.site)))
    for (const [code, uid] of await findExistingUids(context, table, site)) existingUids.set(code, uid);
  return {
    existing: existingUids,
    uids: new Map(entities.map(({ code }) => [code, existingUids.get(code) ?? randomUUID()])),
  };
}

async function seedDecks(context: Context, plant: Plant, findSite: FindSite): Promise<UidsByCode> {
  const decks = plant.decks.map((deck) => ({ ...deck, site: findSite(deck.location) }));
  const { uids, existing } = await assignUids(context, 'deck', decks);
  for (const { code, site, name, location, elevation, map, extent } of decks) {
    if (existing.has(code)) continue;
    const plan_file = await storeFile(context, map, location);
    const uid = uids.get(code) ?? '';
    await context.tables.transaction().execute(async (transaction) => {
      await insertCodes(transaction, [{ site, kind: 'DECK', code, entity: uid }]);
      await transaction
        .insertInto('deck')
        .values({
          uid,
          site,
          code,
          name,
          location,
          elevation,
          plan_file,
          plan_width: map.width,
          plan_height: map.height,
          plan_x: (extent.west + extent.east) / 2,
          plan_y: (extent.south + extent.north) / 2,
          plan_scale: (extent.east - extent.west) / map.width,
          plan_heading: 0,
        })
        .execute();
    });
  }
  return uids;
}

async function seedTours(
  context: Context,
  plant: Plant,
  findSite: FindSite,
  decks: UidsByCode,
): Promise<{ readonly tours: UidsByCode; readonly nodes: UidsByCode }> {
  const tours = await assignUids(
    context,
    'tour',
    plant.tours.map((tour) => ({ code: tour.code, site: findSite(tour.location) })),
  );
  const nodes = await assignUids(
    context,
    'node',
    plant.nodes.map((node) => ({ code: node.code, site: findSite(node.location) })),
  );
  for (const { code, name, location, startNode } of plant.tours) {
    if (tours.existing.has(code)) continue;
    const [uid, site] = [tours.uids.get(code) ?? '', findSite(location)];
    await context.tables.transaction().execute(async (transaction) => {
      await insertCodes(transaction, [{ site, kind: 'TOUR', code, entity: uid }]);
      await transaction
        .insertInto('tour')
        .values({ uid, site, code, name, location, start_node: nodes.uids.get(startNode) ?? '' })
        .execute();
    });
  }
  for (const [position, node] of plant.nodes.entries()) {
    if (nodes.existing.has(node.code)) continue;
    await seedNode(context, node, position, {
      uid: nodes.uids.get(node.code) ?? '',
      site: findSite(node.location),
      tour: tours.uids.get(node.tour) ?? '',
      deck: decks.get(node.deck) ?? null,
    });
  }
  return { tours: tours.uids, nodes: nodes.uids };
}

async function seedNode(
  context: Context,
  node: DemoNode,
  position: number,
  ids: { readonly uid: string; readonly site: string; readonly tour: string; readonly deck: string | null },
): Promise<void> {
  const [x, y, z] = node.position;
  const files = {
    panorama_file: await storeFile(context, node.panorama, node.location),
    range_file: await storeFile(context, node.range, node.location),
    thumbnail_file: await storeFile(context, node.thumbnail, node.location),
  };
  await context.tables.transaction().execute(async (transaction) => {
    await insertCodes(transaction, [{ site: ids.site, kind: 'NODE', code: node.code, entity: ids.uid }]);
    await transaction
      .insertInto('node')
      .values({
        ...ids,
        ...files,
        code: node.code,
        position,
        name: node.name,
        location: node.location,
        x,
        y,
        z,
        heading: node.heading,
        view_pan: node.view.pan,
        view_tilt: node.view.tilt,
        captured_at: node.capturedAt,
        pyramid_file: null,
        pyramid: null,
      })
      .execute();
  });
}

async function seedCaptures(context: Context, node: DemoNode, uid: string): Promise<void> {
  const { tables } = context;
  for (const { capturedAt, panorama, range } of node.earlier ?? []) {
    const existingCapture = await tables
      .selectFrom('capture')
      .select('uid')
      .where('node', '=', uid)
      .where('captured_at', '=', new Date(capturedAt))
      .executeTakeFirst();
    if (existingCapture) continue;
    const files = {
      panorama_file: await storeFile(context, panorama, node.location),
      range_file: await storeFile(context, range, node.location),
    };
    await tables
      .insertInto('capture')
      .values({
        uid: randomUUID(),
        node: uid,
        captured_at: capturedAt,
        heading: node.heading,
        ...files,
        pyramid_file: null,
        pyramid: null,
      })
      .execute();
  }
}

/** Seeds tags and lines. A line gets the location of the nearest node that sees it. Returns all uids by code. */
async function seedTags(context: Context, plant: Plant, findSite: FindSite, nodes: UidsByCode): Promise<UidsByCode> {
  const nodeLocations = new Map(plant.nodes.map((node) => [node.code, node.location]));
  const [firstLocation] = plant.locations;
  const findLineLocation = (line: DemoLine): string =>
    nodeLocations.get(line.seenFrom[0]?.node ?? '') ?? firstLocation?.uid ?? '';
  const tagRows = [
    // Lines first, because tags refer to them.
    ...plant.lines.map((line) => ({ code: line.number, location: findLineLocation(line), ...toLineValues(line) })),
    ...plant.tags.map((tag) => ({ code: tag.tag, location: tag.location, ...toTagValues(tag) })),
  ].map((tag) => ({ ...tag, site: findSite(tag.location) }));
  const { uids, existing } = await assignUids(context, 'tag', tagRows);
  const toUid = (code: string): string => uids.get(code) ?? '';
  const lineOfTag = new Map(plant.tags.map((tag) => [tag.tag, tag.line]));
  await insertNew(
    tagRows.filter(({ code }) => !existing.has(code)),
    (rows) =>
      context.tables.transaction().execute(async (transaction) => {
        await insertCodes(
          transaction,
          rows.map(({ site, code }) => ({ site, kind: 'TAG', code, entity: toUid(code) })),
        );
        await transaction
          .insertInto('tag')
          .values(
            rows.map((row) => {
              const line = lineOfTag.get(row.code);
              return {
                ...row,
                uid: toUid(row.code),
                line: line === undefined ? null : (uids.get(line) ?? null),
                search_key: toSearchKey(row.code),
              };
            }),
          )
          .execute();
      }),
  );
  await insertNew(
    plant.lines.map((line) => ({
      line: toUid(line.number),
      service: line.service,
      nps: line.nps,
      dn: line.dn,
      outside_diameter: line.outsideDiameter,
      from_tag: line.from,
      to_tag: line.to,
      points: JSON.stringify(line.points),
    })),
    (rows) =>
      context.tables
        .insertInto('pipe')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  const toViewRows = (code: string, { node, ...view }: DemoTagView) => {
    const uid = nodes.get(node);
    return uid === undefined ? [] : [{ tag: toUid(code), node: uid, ...view }];
  };
  await insertNew(
    [
      ...plant.tags.flatMap((tag) => tag.seenFrom.flatMap((view) => toViewRows(tag.tag, view))),
      ...plant.lines.flatMap((line) =>
        line.seenFrom.flatMap(({ node, ...view }) =>
          toViewRows(line.number, { node, ...view }).map((row) => ({ ...row, given: JSON.stringify(view) })),
        ),
      ),
    ],
    (rows) =>
      context.tables
        .insertInto('tag_view')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  return uids;
}

/** Seeds documents with their revisions and links to tags. The rows of a document are inserted in one transaction. */
async function seedDocuments(
  context: Context,
  documents: readonly DemoDocument[],
  findSite: FindSite,
  tags: UidsByCode,
): Promise<void> {
  const siteDocuments = documents.map((document) => ({ ...document, site: findSite(document.location) }));
  const { uids, existing } = await assignUids(context, 'document', siteDocuments);
  for (const { code, site, title, location, revisions, tags: numbers } of siteDocuments) {
    if (existing.has(code)) continue;
    const uid = uids.get(code) ?? '';
    const rows: Insertable<TourTables['document_revision']>[] = [];
    for (const { revision, status, issuedOn, fileName, mediaType, content } of revisions) {
      const audience = { kind: 'location', location } as const;
      const { id } = await context.files.put({ name: fileName, mediaType, audience }, await content());
      rows.push({ document: uid, revision, status, issued_on: issuedOn, file: id });
    }
    await context.tables.transaction().execute(async (transaction) => {
      await insertCodes(transaction, [{ site, kind: 'DOCUMENT', code, entity: uid }]);
      await transaction.insertInto('document').values({ uid, site, code, title, location }).execute();
      if (rows.length > 0) await transaction.insertInto('document_revision').values(rows).execute();
      const links = numbers.flatMap((number) => tags.get(number) ?? []).map((tag) => ({ document: uid, tag }));
      if (links.length > 0) await transaction.insertInto('document_link').values(links).execute();
    });
  }
}

function toTagValues({ kind, description, position: [x, y, z] }: DemoTag) {
  return { type: 'TAG' as const, kind, description, x, y, z };
}

function toLineValues({ service, nps, from, to }: DemoLine) {
  const description = `${service}, ${nps}", ${from} to ${to}`;
  return { type: 'LINE' as const, kind: 'LINE', description, x: null, y: null, z: null };
}

async function tileNodes(context: Context): Promise<void> {
  const { tables } = context;
  const untiledNodes = await tables
    .selectFrom('node')
    .select('uid')
    .where('pyramid_file', 'is', null)
    .orderBy('position')
    .execute();
  const untiledCaptures = await tables
    .selectFrom('capture')
    .select(['node', 'uid'])
    .where('pyramid_file', 'is', null)
    .orderBy('uid')
    .execute();
  const payloads: readonly TilePanoramaPayload[] = [
    ...untiledNodes.map(({ uid }) => ({ node: uid })),
    ...untiledCaptures.map(({ node, uid }) => ({ node, capture: uid })),
  ];
  const jobs = [];
  for (const payload of payloads)
    jobs.push(await context.jobs.start<TilePanoramaPayload>(tilePanoramaJob, payload, null));
  for (const id of jobs) {
    const job = await context.jobs.waitForCompletion(id);
    if (job.result === 'FAILED')
      throw new Error(`The tiles of a node of the demo plant could not be created: ${job.message ?? 'see the log'}`);
  }
}
