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

/** True if the node or one of its earlier panoramas has a range image. */
export const hasRangeImage = sql<boolean>`(node.range_file is not null
  or exists (select from tour.capture where capture.node = node.uid and capture.range_file is not null))`;

/**
 * Limits of the number of tags and nodes in a step. The first step has the minimum. Later steps are resized to take
 * about a second.
 */
const minSubjectsPerStep = 100;
const maxSubjectsPerStep = 2000;
const stepMs = 1000;

/**
 * Computes the pending views of large changes in short steps. Then removes the views that range images show as hidden.
 * Skips nodes without a readable range image: unknown views count as visible. Reads each image once, and may run again
 * at any time.
 */
export async function runCheckTagViews(
  context: Pick<ServerContext<TourTables>, 'tables' | 'files' | 'changes'>,
  run: Run,
): Promise<JobOutcome> {
  const settledCount = await settleMoved(context, run);
  return checkNodes(context, run, settledCount);
}

/** Restarts the job if a failed job has left pending views. */
export async function resumeTagViews({
  tables,
  jobs,
}: Pick<ServerContext<TourTables>, 'tables' | 'jobs'>): Promise<void> {
  const pendingRow = await tables.selectFrom('moved_place').select('uid').limit(1).executeTakeFirst();
  if (pendingRow) await jobs.start<CheckTagViewsPayload>(checkTagViewsJob, {}, null);
}

/** Returns the number of settled tags and nodes. Changes wait for one step at most. */
async function settleMoved(
  { tables, changes }: Pick<ServerContext<TourTables>, 'tables' | 'changes'>,
  { signal, progress }: Run,
): Promise<number> {
  const pendingRow = await tables.selectFrom('moved_place').select('uid').limit(1).executeTakeFirst();
  if (!pendingRow) return 0;
  // The embedded database has no autovacuum. Without statistics, each step would read all nodes for each tag.
  await sql`analyze tour.tag, tour.node, tour.moved_place`.execute(tables);
  let [settledCount, stepSize] = [0, minSubjectsPerStep];
  for (;;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    try {
      const count = await tables.transaction().execute(async (transaction) => {
        await changes.lock(transaction);
        const step = await settleStep(transaction, stepSize);
        if (step.count > 0)
          await progress(
            { done: settledCount + step.count, total: settledCount + step.count + step.left },
            transaction,
          );
        return step.count;
      });
      if (count === 0) return settledCount;
      settledCount += count;
      const growth = Math.min(2, Math.max(0.25, stepMs / (performance.now() - startedAt)));
      stepSize = Math.round(Math.min(maxSubjectsPerStep, Math.max(minSubjectsPerStep, stepSize * growth)));
    } catch (error) {
      if (!isStatementTimeout(error) || stepSize === 1) throw error;
      stepSize = Math.ceil(stepSize / 4);
    }
  }
}

/** Computes the views of the next tags and nodes. Returns their number, and the number of remaining ones. */
async function settleStep(
  transaction: Transaction<TourTables>,
  stepSize: number,
): Promise<{ readonly count: number; readonly left: number }> {
  const { rows } = await sql<{ type: 'TAG' | 'NODE'; uid: string }>`
    delete from tour.moved_place where (type, uid) in (
      select type, uid from tour.moved_place order by type, uid limit ${stepSize}
    ) returning type, uid`.execute(transaction);
  const pickUids = (type: string): string[] => rows.flatMap((row) => (row.type === type ? [row.uid] : []));
  await computeTagViews(transaction, { tags: pickUids('TAG'), nodes: pickUids('NODE') });
  const { left } = await transaction
    .selectFrom('moved_place')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow();
  return { count: rows.length, left };
}

async function checkNodes(context: Context, { signal, progress, log }: Run, settledCount: number): Promise<JobOutcome> {
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
  const rangesByNode = await findEarlierRanges(
    context,
    nodes.filter(({ range_file }) => range_file === null).map(({ uid }) => uid),
  );
  let [checkedCount, unreadableCount] = [0, 0];
  for (const node of nodes) {
    signal.throwIfAborted();
    const source = toNodeRanges(node) ?? rangesByNode.get(node.uid);
    try {
      if (source) await checkNode(context, node, source);
    } catch (error) {
      if (signal.aborted || isOutage(error)) throw error;
      log.warn({ err: error, node: node.uid }, 'The range image of a viewpoint is unreadable.');
      unreadableCount += 1;
    }
    await progress({ done: settledCount + (checkedCount += 1), total: settledCount + nodes.length });
  }
  return { result: unreadableCount > 0 ? 'WARNING' : 'SUCCESS' };
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
  const checkedViews = views.flatMap(({ uid: tag, kind, x, y, z, distance }) => {
    if (x === null || y === null || z === null) return [];
    const visible = computeVisibleFraction([x - node.x, y - node.y, z - node.z], kind, (pan, tilt) =>
      ranges.at(pan, tilt),
    );
    return [{ tag, distance, visible }];
  });
  // Skips tags that were moved during the check, because their change has started another job.
  await sql`
    with checked as (
      select * from jsonb_to_recordset(${JSON.stringify(checkedViews)}::jsonb) as row (tag text, distance float8, visible float8)
    ), unchanged as (
      select tag_view.tag, checked.visible from tour.tag_view
      join checked on checked.tag = tag_view.tag and checked.distance = tag_view.distance
      where tag_view.node = ${node.uid} and tag_view.visible is null
      order by tag_view.tag for update of tag_view skip locked
    ), hidden as (
      delete from tour.tag_view using unchanged
      where tag_view.node = ${node.uid} and tag_view.tag = unchanged.tag and unchanged.visible < ${minVisibleFraction}::float8
    )
    update tour.tag_view set visible = unchanged.visible from unchanged
    where tag_view.node = ${node.uid} and tag_view.tag = unchanged.tag and unchanged.visible >= ${minVisibleFraction}::float8
  `.execute(tables);
}
