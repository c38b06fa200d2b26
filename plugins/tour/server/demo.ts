import { createReadStream } from 'node:fs';
import type { DemoFile, DemoLine, DemoNode, DemoPlant, DemoTag, DemoTagView } from '#core';
import type { DemoRows, ServerContext } from '#core/server';
import { tilePanoramaJob, type TilePanoramaPayload } from './jobs/tile-panorama.ts';
import { searchKey } from './queries/search-key.ts';
import { tablesOf } from './queries/tour-at.ts';

type Context = Pick<ServerContext, 'database' | 'files' | 'jobs'>;

/**
 * Tours, decks, nodes, links, tags and lines of the demo plant. What is there already stays; a node without tiles gets
 * them, so that a seeding that was cut short is finished by the next.
 */
const demoRows: DemoRows = async (context, plant) => {
  const tables = tablesOf(context);
  await insertNew(
    plant.tours.map(({ code, name, location, startNode }) => ({ code, name, location, start_node: startNode })),
    (rows) =>
      tables
        .insertInto('tour')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await seedDecks(context, plant);
  for (const [position, node] of plant.nodes.entries()) await seedNode(context, node, position);
  for (const node of plant.nodes) await seedCaptures(context, node);
  await insertNew(
    plant.links.map(({ from, to, kind, pan, tilt, distance }) => ({
      from_node: from,
      to_node: to,
      kind,
      pan,
      tilt,
      distance,
    })),
    (rows) =>
      tables
        .insertInto('link')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await seedTags(context, plant);
  await tileNodes(context);
};
export default demoRows;

const rowsAtOnce = 500;

async function insertNew<Row>(rows: readonly Row[], insert: (rows: readonly Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) await insert(rows.slice(from, from + rowsAtOnce));
}

async function store({ files }: Context, file: DemoFile, location: string): Promise<string> {
  const stored = await files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    createReadStream(file.path),
  );
  return stored.id;
}

async function seedDecks(context: Context, plant: DemoPlant): Promise<void> {
  const tables = tablesOf(context);
  const known = new Set((await tables.selectFrom('deck').select('code').execute()).map((deck) => deck.code));
  for (const { code, name, location, elevation, map, extent } of plant.decks) {
    if (known.has(code)) continue;
    const map_file = await store(context, map, location);
    await tables
      .insertInto('deck')
      .values({ code, name, location, elevation, map_file, ...extent })
      .execute();
  }
}

async function seedNode(context: Context, node: DemoNode, position: number): Promise<void> {
  const tables = tablesOf(context);
  if (await tables.selectFrom('node').select('code').where('code', '=', node.code).executeTakeFirst()) return;
  const [x, y, z] = node.position;
  await tables
    .insertInto('node')
    .values({
      code: node.code,
      tour: node.tour,
      position,
      name: node.name,
      deck: node.deck,
      location: node.location,
      x,
      y,
      z,
      heading: node.heading,
      view_pan: node.view.pan,
      view_tilt: node.view.tilt,
      captured_at: node.capturedAt,
      panorama_file: await store(context, node.panorama, node.location),
      range_file: await store(context, node.range, node.location),
      thumbnail_file: await store(context, node.thumbnail, node.location),
      pyramid_file: null,
      pyramid: null,
    })
    .execute();
}

async function seedCaptures(context: Context, node: DemoNode): Promise<void> {
  const tables = tablesOf(context);
  for (const { capturedAt, panorama, range } of node.earlier ?? []) {
    const uid = `${node.code} ${capturedAt}`;
    if (await tables.selectFrom('capture').select('uid').where('uid', '=', uid).executeTakeFirst()) continue;
    const stored = {
      panorama_file: await store(context, panorama, node.location),
      range_file: await store(context, range, node.location),
    };
    await tables
      .insertInto('capture')
      .values({
        uid,
        node: node.code,
        captured_at: capturedAt,
        heading: node.heading,
        ...stored,
        pyramid_file: null,
        pyramid: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * A tag belongs to the tours of the nodes that see it, and to the tour of its own location; a line likewise, and is
 * found where it is seen nearest.
 */
async function seedTags(context: Context, plant: DemoPlant): Promise<void> {
  const tables = tablesOf(context);
  const nodes = new Map(plant.nodes.map((node) => [node.code, node]));
  const toursOf = (views: readonly DemoTagView[], location?: string): readonly string[] => [
    ...new Set([
      ...views.flatMap((view) => nodes.get(view.node)?.tour ?? []),
      ...(location === undefined ? [] : tourAbove(plant, location)),
    ]),
  ];
  const tagRow = (tour: string, tag: DemoTag) => {
    const [x, y, z] = tag.position;
    return {
      tour,
      number: tag.tag,
      type: 'TAG' as const,
      kind: tag.kind,
      description: tag.description,
      x,
      y,
      z,
      location: tag.location,
      line: tag.line ?? null,
      search_key: searchKey(tag.tag),
    };
  };
  const lineRow = (tour: string, line: DemoLine) => ({
    tour,
    number: line.number,
    type: 'LINE' as const,
    kind: 'LINE',
    description: `${line.service}, ${line.nps}", ${line.from} to ${line.to}`,
    x: null,
    y: null,
    z: null,
    location: line.seenFrom.map((view) => nodes.get(view.node)).find((node) => node?.tour === tour)?.location ?? '',
    line: null,
    search_key: searchKey(line.number),
  });
  const viewRow = (tag: string, view: DemoTagView) => {
    const tour = nodes.get(view.node)?.tour;
    return tour === undefined ? [] : [{ tour, tag, ...view }];
  };

  await insertNew(
    plant.lines.map((line) => ({
      number: line.number,
      service: line.service,
      nps: line.nps,
      dn: line.dn,
      outside_diameter: line.outsideDiameter,
      from_tag: line.from,
      to_tag: line.to,
      points: JSON.stringify(line.points),
    })),
    (rows) =>
      tables
        .insertInto('line')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await insertNew(
    [
      ...plant.tags.flatMap((tag) => toursOf(tag.seenFrom, tag.location).map((tour) => tagRow(tour, tag))),
      ...plant.lines.flatMap((line) => toursOf(line.seenFrom).map((tour) => lineRow(tour, line))),
    ],
    (rows) =>
      tables
        .insertInto('tag')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await insertNew(
    [
      ...plant.tags.flatMap((tag) => tag.seenFrom.flatMap((view) => viewRow(tag.tag, view))),
      ...plant.lines.flatMap((line) => line.seenFrom.flatMap((view) => viewRow(line.number, view))),
    ],
    (rows) =>
      tables
        .insertInto('tag_view')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
}

function tourAbove(plant: DemoPlant, location: string): readonly string[] {
  const parents = new Map(plant.locations.map((row) => [row.uid, row.parent]));
  const tours = new Map(plant.tours.map((tour) => [tour.location, tour.code]));
  for (let at: string | null | undefined = location; at; at = parents.get(at)) {
    const tour = tours.get(at);
    if (tour !== undefined) return [tour];
  }
  return [];
}

async function tileNodes(context: Context): Promise<void> {
  const tables = tablesOf(context);
  const bare = await tables
    .selectFrom('node')
    .select('code')
    .where('pyramid_file', 'is', null)
    .orderBy('position')
    .execute();
  const earlier = await tables
    .selectFrom('capture')
    .select(['node', 'uid'])
    .where('pyramid_file', 'is', null)
    .orderBy('uid')
    .execute();
  const payloads: readonly TilePanoramaPayload[] = [
    ...bare.map(({ code }) => ({ node: code })),
    ...earlier.map(({ node, uid }) => ({ node, capture: uid })),
  ];
  const jobs = [];
  for (const payload of payloads)
    jobs.push(await context.jobs.start<TilePanoramaPayload>(tilePanoramaJob, payload, null));
  for (const id of jobs) {
    const job = await context.jobs.finished(id);
    if (job.result === 'FAILED')
      throw new Error(`The tiles of a node of the demo plant could not be made: ${job.message ?? 'see the log'}`);
  }
}
