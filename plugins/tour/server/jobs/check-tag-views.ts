import { sql, type Transaction } from 'kysely';
import { isOutage, isStatementTimeout, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import { computeVisibleFraction, minVisibleFraction } from '../../common/tag-views.ts';
import { computeTagViews } from '../queries/compute-tag-views.ts';
import { findEarlierRanges, toNodeRanges } from '../queries/node-ranges.ts';
import { readRangePicture } from '../queries/range-picture.ts';
import type { TourTables } from '../tables.ts';

export const checkTagViewsJob = 'tour.check-tag-views';
export type CheckTagViewsPayload = Readonly<Record<string, never>>;

type Context = Pick<ServerContext<TourTables>, 'tables' | 'files'>;
type Run = Pick<JobRun<CheckTagViewsPayload>, 'signal' | 'progress' | 'log'>;

/** Whether there is a range image of the node, or of an earlier panorama of it. */
export const hasRangeImage = sql<boolean>`(node.range_file is not null
  or exists (select from tour.capture where capture.node = node.uid and capture.range_file is not null))`;

/** Places per step: the first step has the fewest, and the next ones as many as take a second. */
const minPlaces = 100;
const maxPlaces = 2000;
const stepMs = 1000;

/**
 * Computes the views that large changes have left, in short steps. Then finds by range images which tags are hidden
 * from the nodes near them, and removes these views. Nodes without a readable range image are left out: what is not
 * known counts as visible. Reads each image once, and may run again at any time.
 */
export async function runCheckTagViews(
  context: Pick<ServerContext<TourTables>, 'tables' | 'files' | 'changes'>,
  run: Run,
): Promise<JobOutcome> {
  const settled = await settlePlaces(context, run);
  return checkNodes(context, run, settled);
}

/** Computes the views that a failed job has left. */
export async function resumeTagViews({
  tables,
  jobs,
}: Pick<ServerContext<TourTables>, 'tables' | 'jobs'>): Promise<void> {
  const left = await tables.selectFrom('moved_place').select('uid').limit(1).executeTakeFirst();
  if (left) await jobs.start<CheckTagViewsPayload>(checkTagViewsJob, {}, null);
}

/** Returns how many places are settled. Changes wait for one step at most. */
async function settlePlaces(
  { tables, changes }: Pick<ServerContext<TourTables>, 'tables' | 'changes'>,
  { signal, progress }: Run,
): Promise<number> {
  const isListed = await tables.selectFrom('moved_place').select('uid').limit(1).executeTakeFirst();
  if (!isListed) return 0;
  // Nothing else does it on the embedded database, where the steps would read all nodes for each tag.
  await sql`analyze tour.tag, tour.node, tour.moved_place`.execute(tables);
  let [done, size] = [0, minPlaces];
  for (;;) {
    signal.throwIfAborted();
    const begun = performance.now();
    try {
      const count = await tables.transaction().execute(async (transaction) => {
        await changes.lock(transaction);
        const settled = await settleStep(transaction, size);
        if (settled.count > 0)
          await progress({ done: done + settled.count, total: done + settled.count + settled.left }, transaction);
        return settled.count;
      });
      if (count === 0) return done;
      done += count;
      const growth = Math.min(2, Math.max(0.25, stepMs / (performance.now() - begun)));
      size = Math.round(Math.min(maxPlaces, Math.max(minPlaces, size * growth)));
    } catch (error) {
      if (!isStatementTimeout(error) || size === 1) throw error;
      size = Math.ceil(size / 4);
    }
  }
}

/** Computes the views of the next places. Returns their number, and that of the places that are left. */
async function settleStep(
  transaction: Transaction<TourTables>,
  size: number,
): Promise<{ readonly count: number; readonly left: number }> {
  const { rows } = await sql<{ type: 'TAG' | 'NODE'; uid: string }>`
    delete from tour.moved_place where (type, uid) in (
      select type, uid from tour.moved_place order by type, uid limit ${size}
    ) returning type, uid`.execute(transaction);
  const pick = (type: string): string[] => rows.flatMap((row) => (row.type === type ? [row.uid] : []));
  await computeTagViews(transaction, { tags: pick('TAG'), nodes: pick('NODE') });
  const { left } = await transaction
    .selectFrom('moved_place')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow();
  return { count: rows.length, left };
}

async function checkNodes(context: Context, { signal, progress, log }: Run, settled: number): Promise<JobOutcome> {
  const { tables } = context;
  const nodes = await tables
    .selectFrom('node')
    .select(['uid', 'x', 'y', 'z', 'heading', 'range_file'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('tag_view')
          .select('tag_view.tag')
          .whereRef('tag_view.node', '=', 'node.uid')
          .where('tag_view.visible', 'is', null),
      ),
    )
    .where(hasRangeImage)
    .orderBy('uid')
    .execute();
  const earlier = await findEarlierRanges(
    context,
    nodes.filter(({ range_file }) => range_file === null).map(({ uid }) => uid),
  );
  let [done, unreadable] = [0, 0];
  for (const node of nodes) {
    signal.throwIfAborted();
    const source = toNodeRanges(node) ?? earlier.get(node.uid);
    try {
      if (source) await checkNode(context, node, source);
    } catch (error) {
      if (signal.aborted || isOutage(error)) throw error;
      log.warn({ err: error, node: node.uid }, 'The range image of a viewpoint is unreadable.');
      unreadable += 1;
    }
    await progress({ done: settled + (done += 1), total: settled + nodes.length });
  }
  return { result: unreadable > 0 ? 'WARNING' : 'SUCCESS' };
}

async function checkNode(
  { tables, files }: Context,
  node: { readonly uid: string; readonly x: number; readonly y: number; readonly z: number },
  source: { readonly file: string; readonly heading: number },
): Promise<void> {
  const ranges = await readRangePicture(files, source.file, source.heading);
  const views = await tables
    .selectFrom('tag_view')
    .innerJoin('tag', 'tag.uid', 'tag_view.tag')
    .select(['tag.uid', 'tag.kind', 'tag.x', 'tag.y', 'tag.z', 'tag_view.distance'])
    .where('tag_view.node', '=', node.uid)
    .where('tag_view.visible', 'is', null)
    .execute();
  const checked = views.flatMap(({ uid: tag, kind, x, y, z, distance }) => {
    if (x === null || y === null || z === null) return [];
    const visible = computeVisibleFraction([x - node.x, y - node.y, z - node.z], kind, (pan, tilt) =>
      ranges.at(pan, tilt),
    );
    return [{ tag, distance, visible }];
  });
  // Skips what was moved meanwhile: its change has started another job.
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(checked)}::jsonb) as row (tag text, distance float8, visible float8)
    ), present as (
      select tag_view.tag, given.visible from tour.tag_view
      join given on given.tag = tag_view.tag and given.distance = tag_view.distance
      where tag_view.node = ${node.uid} and tag_view.visible is null
      order by tag_view.tag for update of tag_view skip locked
    ), hidden as (
      delete from tour.tag_view using present
      where tag_view.node = ${node.uid} and tag_view.tag = present.tag and present.visible < ${minVisibleFraction}::float8
    )
    update tour.tag_view set visible = present.visible from present
    where tag_view.node = ${node.uid} and tag_view.tag = present.tag and present.visible >= ${minVisibleFraction}::float8
  `.execute(tables);
}
