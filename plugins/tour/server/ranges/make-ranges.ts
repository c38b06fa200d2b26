import { sql } from 'kysely';
import sharp from 'sharp';
import { matchesAny, removeOnFailure, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import type { RangeResult } from '../../contract/api/ranges.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { createTiles, type TiledFolder } from '../jobs/tile-panorama.ts';
import type { RangeSource, TourTables } from '../tables.ts';
import { toRangePose } from '../queries/drop-ranges.ts';
import type { SourcedRanges, SurfaceProviders } from './surface-providers.ts';

export const makeRangesJob = 'tour.make-ranges';
export interface MakeRangesPayload {
  readonly tour: string;
  readonly location: string;
  /** Locations whose surfaces are used. */
  readonly places: readonly string[];
  /** Uids of the nodes. */
  readonly nodes: readonly string[];
  /** Uid of the person who started the computation, and id of the request. */
  readonly author: string;
  readonly requestId: string;
}

interface MadeRanges extends TiledFolder {
  readonly node: string;
  readonly panorama: string;
  readonly source: RangeSource;
  /** Value of `toRangePose`. */
  readonly pose: string;
  /** 0 to 1. */
  readonly coverage: number;
}

interface Cursor {
  readonly made: readonly MadeRanges[];
  /** Uids of nodes that are finished. */
  readonly done: readonly string[];
  /** Codes of nodes that see no surface. */
  readonly blind: readonly string[];
}

type Context = Pick<ServerContext<TourTables>, 'tables' | 'files' | 'changes'>;

/** Maximum width of range images, pixels: 9 mm at 3 m. Images of smaller panoramas are as wide as the panorama. */
const maxWidth = 2048;
/** Number of nodes whose rays are cast together. Each takes 4 MB. */
const nodesPerPass = 24;
/** Below this fraction of the sphere, the image is not stored. */
const minCoverage = 0.001;

/**
 * Computes range images of nodes by casting rays at the surfaces of the site, and stores all images in one change. A
 * restart continues with the remaining nodes.
 */
export async function runMakeRanges(
  context: Context,
  providers: Pick<SurfaceProviders, 'find'>,
  run: JobRun<MakeRangesPayload>,
): Promise<JobOutcome> {
  const { payload } = run;
  const surfaces = await providers.find(payload.places);
  if (!surfaces) return { result: 'FAILED', message: tourRefusal('tour.refused.noSurfaces') };
  let cursor = (run.cursor as Cursor | undefined) ?? { made: [], done: [], blind: [] };
  const doneNodes = new Set(cursor.done);
  const remainingNodes = payload.nodes.filter((node) => !doneNodes.has(node));
  const isStopped = async (): Promise<boolean> =>
    (await context.tables.selectFrom('range_run').select('stopped').where('tour', '=', payload.tour).executeTakeFirst())
      ?.stopped !== false;
  let stopped = await isStopped();
  for (let start = 0; start < remainingNodes.length && !stopped; start += nodesPerPass) {
    const nodes = await findNodes(context, remainingNodes.slice(start, start + nodesPerPass));
    if (nodes.length === 0) continue;
    const views = nodes.map(({ x, y, z, heading, width }) => ({ position: [x, y, z] as const, heading, width }));
    let nodeIndex = 0;
    for await (const ranges of surfaces.computeRanges(views, run.signal)) {
      stopped = await isStopped();
      if (stopped) break;
      const node = nodes[nodeIndex++]!;
      const nodeRanges = await makeRanges(context, node, ranges, run);
      const nextCursor: Cursor = {
        made: nodeRanges ? [...cursor.made, nodeRanges] : cursor.made,
        done: [...cursor.done, node.uid],
        blind: nodeRanges ? cursor.blind : [...cursor.blind, node.code],
      };
      const files = nodeRanges ? [nodeRanges.folder, ...(nodeRanges.ranges === null ? [] : [nodeRanges.ranges])] : [];
      await removeOnFailure(context.files, files, () =>
        run.progress({ done: nextCursor.done.length, total: payload.nodes.length, cursor: nextCursor }),
      );
      cursor = nextCursor;
    }
  }
  const changedCodes = await storeRanges(context, payload, cursor.made);
  const madeCount = cursor.made.length - changedCodes.length;
  const coverage = cursor.made.reduce((sum, ranges) => sum + ranges.coverage, 0) / Math.max(1, cursor.made.length);
  const result: RangeResult = { made: madeCount, coverage, blind: [...cursor.blind], changed: changedCodes, stopped };
  await context.tables
    .updateTable('range_run')
    .set({ result: JSON.stringify(result) })
    .where('tour', '=', payload.tour)
    .execute();
  return { result: cursor.blind.length + changedCodes.length > 0 ? 'WARNING' : 'SUCCESS' };
}

/** Finds nodes with a panorama but without measured ranges. */
async function findNodes({ tables }: Context, uids: readonly string[]) {
  const rows = await tables
    .selectFrom('node')
    .select(['uid', 'code', 'location', 'x', 'y', 'z', 'heading', 'pitch', 'roll', 'panorama_file', 'pyramid'])
    .select(toRangePose('node').as('pose'))
    .where(matchesAny('uid', uids))
    .where('panorama_file', 'is not', null)
    .where((node) => node.or([node('range_file', 'is', null), node('range_source', 'is not', null)]))
    .orderBy('position')
    .$narrowType<{ panorama_file: string }>()
    .execute();
  return rows.map(({ pyramid, ...row }) => ({
    ...row,
    width: Math.min(maxWidth, pyramid?.levels.at(-1)?.width ?? maxWidth),
  }));
}

type RangeNode = Awaited<ReturnType<typeof findNodes>>[number];

/** Stores a range image with tiles of it and of the panorama. Undefined if the node sees no surface. */
async function makeRanges(
  { files }: Context,
  { uid, panorama_file, pose, width, ...node }: RangeNode,
  { ranges, source }: SourcedRanges,
  run: Pick<JobRun<unknown>, 'signal'>,
): Promise<MadeRanges | undefined> {
  const coverage = computeCoverage(ranges, width);
  if (coverage < minCoverage) return undefined;
  const pixels = Buffer.alloc(ranges.length * 3);
  for (const [pixel, range] of ranges.entries()) {
    pixels[3 * pixel] = range >> 8;
    pixels[3 * pixel + 1] = range & 255;
  }
  const image = await sharp(pixels, { raw: { width, height: width / 2, channels: 3 } })
    .webp({ lossless: true, effort: 1 })
    .toBuffer();
  const storedFile = await files.put(
    {
      name: `${node.code} ranges.webp`,
      mediaType: 'image/webp',
      audience: { kind: 'location', location: node.location },
    },
    image,
  );
  const tiles = await removeOnFailure(files, [storedFile.id], () =>
    createTiles(
      files,
      node.code,
      { ...node, panorama_file, range_file: storedFile.id, range_source: source },
      { signal: run.signal, progress: () => Promise.resolve() },
    ),
  );
  return { ...tiles, node: uid, panorama: panorama_file, source, pose, coverage };
}

/** Computes the fraction of the sphere with a surface, 0 to 1. */
function computeCoverage(ranges: Uint16Array, width: number): number {
  const height = width / 2;
  let [surfaceWeight, totalWeight] = [0, 0];
  for (let row = 0; row < height; row++) {
    const weight = Math.cos(Math.PI * (0.5 - (row + 0.5) / height));
    for (let column = 0; column < width; column++) if (ranges[row * width + column]! > 0) surfaceWeight += weight;
    totalWeight += weight * width;
  }
  return surfaceWeight / totalWeight;
}

/** Stores the images of nodes that were not changed during the computation. Returns the codes of the other nodes. */
async function storeRanges(
  { changes, files, tables: database }: Context,
  { tour, location, author, requestId }: MakeRangesPayload,
  madeRanges: readonly MadeRanges[],
): Promise<string[]> {
  if (madeRanges.length === 0) return [];
  const uids = madeRanges.map(({ node }) => node);
  const tourRow = await database.selectFrom('tour').select('name').where('uid', '=', tour).executeTakeFirst();
  const storedUids = new Set<string>();
  await changes.apply(
    { caller: { uid: author }, requestId },
    { action: 'tour.rangesMade', subject: tour, name: tourRow?.name ?? '', location },
    async ({ tables, lockAndRecord }) => {
      storedUids.clear();
      await lockAndRecord('node', 'uid', uids);
      const rows = madeRanges.map(({ node, panorama, source, pose, folder, ranges, pyramid }) => ({
        node,
        panorama,
        source,
        pose,
        folder,
        ranges,
        pyramid,
      }));
      const { rows: updatedRows } = await sql<{ uid: string }>`
        update tour.node set range_file = input.ranges, range_source = input.source, range_pose = input.pose,
          pyramid_file = input.folder, pyramid = input.pyramid
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as input (node text, panorama text, source text, pose text, folder text, ranges text, pyramid jsonb)
        where node.uid = input.node and node.panorama_file = input.panorama and ${toRangePose('node')} = input.pose
          and (node.range_file is null or node.range_source is not null)
        returning node.uid`.execute(tables);
      for (const { uid } of updatedRows) storedUids.add(uid);
    },
  );
  const unusedRanges = madeRanges.filter(({ node }) => !storedUids.has(node));
  for (const { folder, ranges } of unusedRanges)
    for (const file of [folder, ranges]) if (file !== null) await files.remove(file);
  if (unusedRanges.length === 0) return [];
  const codes = await database
    .selectFrom('node')
    .select('code')
    .where(
      matchesAny(
        'uid',
        unusedRanges.map(({ node }) => node),
      ),
    )
    .execute();
  return codes.map(({ code }) => code);
}
