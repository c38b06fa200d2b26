import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { atLocation, conflict, type Api, type CallAuthor, type Caller, type ServerContext } from '#core/server';
import { listRanges, makeRanges, deleteRanges, stopRanges, type TourRanges } from '../../contract/api/ranges.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { findEntity, findChangeLocation } from '../contents/content-context.ts';
import type { TourTables } from '../tables.ts';
import { withoutRanges } from '../queries/drop-ranges.ts';
import { makeRangesJob, runMakeRanges, type MakeRangesPayload } from './make-ranges.ts';
import type { SurfaceProviders } from './surface-providers.ts';

type Context = ServerContext<TourTables>;
interface TourTarget {
  readonly location: string;
  readonly tour: string;
}

/** Serves the computation of range images from the surfaces of the site. */
export function serveRanges(api: Api, context: Context, providers: SurfaceProviders): void {
  context.jobs.register<MakeRangesPayload>(makeRangesJob, (run) => runMakeRanges(context, providers, run));
  api.serve(listRanges, ({ caller, params }) => listTourRanges(context, caller, params.location));
  api.serve(makeRanges, async (call) => ({ job: await startRanges(context, providers, call, call.params) }));
  api.serve(stopRanges, async ({ params }) => {
    const tour = await findEntity(context, 'tour', params.location, params.tour);
    await context.tables.updateTable('range_run').set({ stopped: true }).where('tour', '=', tour.uid).execute();
    return {};
  });
  api.serve(deleteRanges, (call) => dropRanges(context, call, call.params));
}

async function listTourRanges(context: Context, caller: Caller, location: string): Promise<TourRanges[]> {
  const accessibleLocations = await context.locations.accessible(caller);
  const relatedUids = await context.locations.accessibleRelated(caller, location);
  const count = (condition: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${condition}))::integer`;
  const rows = await context.tables
    .selectFrom('tour')
    .innerJoin('node', 'node.tour', 'tour.uid')
    .leftJoin('range_run', 'range_run.tour', 'tour.uid')
    .select(['tour.uid', 'tour.name', 'range_run.job', 'range_run.result'])
    .select([
      count(sql`range_file is not null and range_source is null`).as('measured'),
      count(sql`range_source is not null`).as('computed'),
      count(sql`range_file is null`).as('missing'),
    ])
    .where('node.panorama_file', 'is not', null)
    .where(atLocation('node.location', accessibleLocations))
    .where(atLocation('tour.location', relatedUids))
    .groupBy(['tour.uid', 'tour.name', 'range_run.job', 'range_run.result'])
    .orderBy('tour.name')
    .execute();
  const jobs = await context.jobs.findAll(rows.flatMap(({ job }) => job ?? []));
  return rows.map(({ uid: tour, job: id, result, ...row }) => {
    const job = id === null ? undefined : jobs.get(id);
    const isRunning = job?.status === 'INPROGRESS';
    return {
      ...row,
      tour,
      result: isRunning ? null : result,
      job: isRunning ? { id: job.id, done: job.done, total: job.total } : null,
      message: isRunning ? null : (job?.message ?? null),
      refusal: isRunning ? null : (job?.refusal ?? null),
    };
  });
}

/** @throws `conflict` (409) while a computation runs, or if there is nothing to compute or nothing to compute it from */
async function startRanges(
  context: Context,
  providers: SurfaceProviders,
  { caller, requestId }: CallAuthor,
  { location, tour: uid }: TourTarget,
): Promise<string> {
  const tour = await findEntity(context, 'tour', location, uid);
  const author = { caller, requestId };
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  // Ranges reveal the shape of models, so only models that the author can access are used.
  const surfaceLocations = await context.locations.accessibleRelated(caller, recordedLocation);
  if (!(await providers.find(surfaceLocations))) throw conflict(tourRefusal('tour.refused.noSurfaces'));
  const nodes = await context.tables
    .selectFrom('node')
    .select('uid')
    .where('tour', '=', uid)
    .where('panorama_file', 'is not', null)
    .where(sql<boolean>`(range_file is null or range_source is not null)`)
    .where(atLocation('location', await context.locations.accessible(caller)))
    .orderBy('position')
    .execute();
  if (nodes.length === 0) throw conflict(tourRefusal('tour.refused.allMeasured'));
  const payload = {
    tour: uid,
    location: recordedLocation,
    places: [...surfaceLocations],
    nodes: nodes.map((node) => node.uid),
    author: caller.uid,
    requestId,
  };
  const currentRun = await context.tables
    .selectFrom('range_run')
    .select('job')
    .where('tour', '=', uid)
    .executeTakeFirst();
  if (currentRun && (await context.jobs.find(currentRun.job))?.status === 'INPROGRESS')
    throw conflict(tourRefusal('tour.refused.rangesRunning'));
  const job = await context.tables.transaction().execute(async (transaction) => {
    const id = await context.jobs.start<MakeRangesPayload>(makeRangesJob, payload, caller.uid, transaction);
    const run = { job: id, stopped: false, result: null };
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('range_run')
      .values({ tour: uid, ...run })
      .onConflict((builder) =>
        builder
          .column('tour')
          .doUpdateSet(run)
          .where('range_run.job', '=', currentRun?.job ?? randomUUID()),
      )
      .executeTakeFirst();
    // A concurrent request has started the computation.
    if (!numInsertedOrUpdatedRows) throw conflict(tourRefusal('tour.refused.rangesRunning'));
    return id;
  });
  await context.jobs.notifyRunners();
  return job;
}

async function dropRanges(
  context: Context,
  { caller, requestId }: CallAuthor,
  { location, tour: uid }: TourTarget,
): Promise<{ readonly change: string | null }> {
  const tour = await findEntity(context, 'tour', location, uid);
  const author = { caller, requestId };
  const recordedLocation = await findChangeLocation(context, author, tour, location);
  const accessibleLocations = await context.locations.accessible(caller);
  return context.changes.apply(
    author,
    { action: 'tour.rangesRemoved', subject: uid, name: tour.name, location: recordedLocation },
    async ({ tables, lockAndRecord }) => {
      const nodes = await tables
        .selectFrom('node')
        .select('uid')
        .where('tour', '=', uid)
        .where('range_source', 'is not', null)
        .where(atLocation('location', accessibleLocations))
        .execute();
      const uids = nodes.map((node) => node.uid);
      await lockAndRecord('node', 'uid', uids);
      await sql`
        update tour.node set ${withoutRanges('node')}
        where uid = any(${uids}::text[]) and range_source is not null`.execute(tables);
    },
  );
}
