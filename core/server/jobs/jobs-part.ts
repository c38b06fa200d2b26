import { Gauge } from 'prom-client';
import { getJob } from '#core/api';
import { Events } from '../events/events.ts';
import type { CorePart } from '../kernel/core-part.ts';
import { notFound } from '../kernel/server-error.ts';
import { scheduleCleanup } from '../kernel/schedule-cleanup.ts';
import { DatabaseJobs } from './database-jobs.ts';
import { jobMigrations, type JobTables } from './job-tables.ts';
import { Jobs } from './jobs.ts';

/** Core's part that runs jobs and notifies their owners. Must be mounted after the part `events`. */
export const jobsPart: CorePart = {
  id: 'jobs',
  migrations: jobMigrations,
  mount(api, context) {
    const { database, config } = context;
    const jobs = new DatabaseJobs({
      database,
      events: context.service(Events),
      log: context.log,
      ...config.jobs,
      canStartLongJobs: () => context.disk.hasSpace(),
    });
    context.provide(Jobs, jobs);
    // Jobs may mail links, which contain the listening address.
    context.onListening(async () => {
      const stop = await jobs.run({ isOnlyProcess: database.kind === 'embedded' });
      context.onStop(() => stop(config.limits.stopTimeoutMs / 2));
      scheduleCleanup(context, [() => jobs.deleteOldJobs()]);
    });
    new Gauge({
      name: 'walkdown_jobs_open',
      help: 'Number of jobs that wait or run in all processes.',
      registers: [context.metrics],
      async collect() {
        const { count } = await database
          .of<JobTables>('core')
          .selectFrom('job')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', '<>', 'completed')
          .executeTakeFirstOrThrow()
          // Metrics must stay available while the database is down.
          .catch(() => ({ count: Number.NaN }));
        this.set(count);
      },
    });

    api.serve(getJob, async ({ caller, params }) => {
      const job = await jobs.findOwned(caller.uid, params.id);
      if (job === undefined) throw notFound('This job');
      return job;
    });
  },
};
